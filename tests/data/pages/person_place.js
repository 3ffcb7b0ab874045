(([selector, number]) => {
    const element = [...document.querySelectorAll(selector)].filter(one => !one.closest("[hidden]"))[number];
    if (!element) return null;
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = element.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [x, y, element.contains(document.elementFromPoint(x, y))];
})
