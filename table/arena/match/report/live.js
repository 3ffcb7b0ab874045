/* A page of what is being played renews its parts every few seconds. Only what differs is put in anew, so nothing flickers
and nobody loses the place; while nobody answers, the page stays as it is. */
"use strict";
const PATIENCE = 10_000;
const pace = STEP * 1000; // of the page's server

/**
 * Put in the parts of a fresh page that differ from those on this one.
 * @param {Document} fresh
 */
function renew(fresh) {
    const [old, made] = [document.querySelector("main"), fresh.querySelector("main")];
    if (!old || !made) return;
    const parts = [...made.children];
    if (old.children.length !== parts.length) {
        old.replaceChildren(...parts.map((part) => document.adoptNode(part)));
        return;
    }
    for (const [number, part] of parts.entries()) {
        const there = old.children[number];
        if (!there.isEqualNode(part)) there.replaceWith(document.adoptNode(part));
    }
}

function ask() {
    const asked = new XMLHttpRequest();
    asked.open("GET", location.href);
    asked.responseType = "document";
    asked.timeout = PATIENCE;
    asked.addEventListener("load", () => {
        if (asked.status === 200 && asked.responseXML) renew(asked.responseXML);
    });
    asked.addEventListener("loadend", () => setTimeout(ask, pace));
    asked.send();
}

setTimeout(ask, pace);
