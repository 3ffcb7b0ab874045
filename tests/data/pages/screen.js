(() => {
    const tiles = element => [...element.querySelectorAll('.tile')].map(tile => tile.dataset.tile);
    return [...document.querySelectorAll('.seat')].map(seat => ({
        hand: tiles(seat.querySelector('.hand')).sort(), river: tiles(seat.querySelector('.river')),
        melds: [...seat.querySelectorAll(':scope > .melds > .meld')].map(meld => meld.dataset.meld),
        bent: seat.querySelectorAll('.river .bent').length, called: seat.querySelectorAll('.river .called').length,
        score: seat.querySelector('.score').textContent, stick: Boolean(seat.querySelector('.stick')),
    }));
})()
