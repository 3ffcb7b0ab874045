((hand, back, meld, count) => {
    const made = (name, ...inside) => {
        const one = document.createElement('span');
        one.className = name;
        one.append(...inside);
        return one;
    };
    const tiles = (many, more = '') => Array.from({length: many}, () => made(`tile ${more}`));
    const row = many => made('row', ...tiles(1, 'bent'), ...tiles(many - 1));
    const melds = {
        kan: () => [...tiles(3), ...tiles(1, 'bent')],
        added: () => [...tiles(2), made('pair', ...tiles(2, 'bent'))],
    };
    document.querySelectorAll('.seat').forEach(seat => {
        seat.querySelector('.river').replaceChildren(row(6), row(6), row(8));
        seat.querySelector('.hand').replaceChildren(...tiles(hand, back), ...tiles(1, `${back} drawn`));
        seat.querySelector('.melds').replaceChildren(
            ...Array.from({length: count}, () => made('meld', ...melds[meld]())));
    });
    const shown = [...document.querySelectorAll('#table .tile, #table .centre')]
        .filter(one => !one.closest('.centre .dora') && one.offsetWidth)
        .filter(one => getComputedStyle(one).visibility === 'visible')
        .map(one => [one, one.getBoundingClientRect()]);
    const around = document.getElementById('table').getBoundingClientRect();
    const crossed = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const where = ([one]) => `${one.closest('.seat')?.className} ${one.parentElement.className}`;
    return [
        ...shown.flatMap((one, n) => shown.slice(n + 1).filter(other => crossed(one, other)).map(
            other => `${where(one)} over ${where(other)}`)),
        ...shown.filter(([, a]) => a.left < around.left || a.right > around.right || a.top < around.top
            || a.bottom > around.bottom).map(one => `${where(one)} outside`),
    ];
})
