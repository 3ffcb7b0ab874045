(() => {
    const seen = [];
    const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
    for (let before = ''; before !== document.getElementById('table').dataset.position; press()) {
        before = document.getElementById('table').dataset.position;
        seen.push(LOOK);
    }
    return seen;
})()
