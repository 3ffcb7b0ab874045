(() => {
    const data = (element, name) => Number(element?.dataset[name] ?? 0);
    const cards = element => [...element.querySelectorAll('[data-card]')].map(card => card.dataset.card);
    const bySeat = (a, b) => a.dataset.seat - b.dataset.seat;
    const result = document.getElementById('result');
    return {
        position: document.getElementById('table').dataset.position,
        seats: [...document.querySelectorAll('.seat')].sort(bySeat).map(seat => ({
            hand: cards(seat.querySelector('.hand')).sort(),
            backs: seat.querySelectorAll('.hand .back').length,
            rank: seat.querySelector('.class').textContent,
            points: data(seat.querySelector('.score'), 'points'),
            place: data(seat.querySelector('.place'), 'place'),
            passed: Boolean(seat.querySelector('.passed')),
        })),
        trick: [...document.querySelectorAll('.play')].map(play => [Number(play.dataset.seat), cards(play).join(' ')]),
        gifts: [...document.querySelectorAll('.gift')].map(gift => gift.dataset.gift),
        pile: data(document.querySelector('[data-pile]'), 'pile'),
        revolution: Boolean(document.querySelector('.centre.revolution')),
        result: result.hidden ? null : [...result.querySelectorAll('li')].map(row => [
            Number(row.dataset.seat), row.querySelector('.class')?.textContent ?? '',
            parseInt(row.querySelector('b').textContent),
        ]),
    };
})()
