[...document.querySelectorAll('.seat')].map((seat) => {
    let points = 0;
    for (const kind of seat.querySelectorAll('.sticks span'))
        points += kind.dataset.worth * kind.textContent.split('×')[1];
    return points;
})
