(() => {
    const tiles = [...document.querySelectorAll('.pick')];
    const [from, to] = [tiles[FROM], tiles[TO]].map(tile => tile.getBoundingClientRect());
    const at = box => ({clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true});
    tiles[FROM].dispatchEvent(new PointerEvent('pointerdown', at(from)));
    tiles[TO].dispatchEvent(new PointerEvent('pointerup', at(to)));
    tiles[TO].click();
})()
