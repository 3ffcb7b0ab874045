globalThis.hits = [];
globalThis.hit = (...words) => { hits.push(words.join()); return ""; };
document.addEventListener("securitypolicyviolation", event => hits.push("stopped: " + event.violatedDirective));
