(how, ...files) => {
    const given = new DataTransfer();
    for (const [name, text] of files) given.items.add(new File([text], name));
    const input = document.getElementById('file');
    if (how === 'dropped') dispatchEvent(new DragEvent('drop', {dataTransfer: given, cancelable: true}));
    else { input.files = given.files; input.dispatchEvent(new Event('change')); }
}
