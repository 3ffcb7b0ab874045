(() => {
    const page = document.body.cloneNode(true);
    page.querySelectorAll('script, code, option, .plate .name, .yaku').forEach(one => one.remove());
    const said = ['aria-label', 'title', 'placeholder'].flatMap(name =>
        [...page.querySelectorAll(`[${name}]`)].map(one => one.getAttribute(name)));
    return [page.textContent, document.title, ...said].join(' ')
        .replaceAll(/雀卓|jantaku|花子|日本語|English|caller|shanten(?=の|で| would)|tsumogiri(-\d)?|http\S+/g, '')
        .replaceAll(/--host|Shift|Enter|QR|荒牌平局/g, '');
})()
