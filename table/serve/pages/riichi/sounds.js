// What can be heard of a game: short tones made here, for who wants them.
"use strict";

/** Frequencies in Hz, one after another, each for `step` seconds. */
const SOUNDS = {
    discard: { tones: [190], step: 0.05, shape: "triangle" },
    draw: { tones: [520], step: 0.03, shape: "sine" },
    call: { tones: [440, 330], step: 0.1, shape: "square" },
    riichi: { tones: [523, 659, 784], step: 0.11, shape: "triangle" },
    win: { tones: [523, 659, 784, 1047], step: 0.14, shape: "triangle" },
    turn: { tones: [880, 1175], step: 0.09, shape: "sine" },
    short: { tones: [988], step: 0.06, shape: "square" },
};
const LOUD = 0.08;
/** @type {AudioContext | null} */
let audio = null;

/** @param {keyof typeof SOUNDS} name */
function sound(name) {
    if (!hand.on.has("sound")) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume(); // until something was pressed browsers are silent
    const { tones, step, shape } = SOUNDS[name];
    for (const [n, tone] of tones.entries()) {
        const [from, oscillator, gain] = [audio.currentTime + n * step, audio.createOscillator(), audio.createGain()];
        oscillator.type = /** @type {OscillatorType} */ (shape);
        oscillator.frequency.value = tone;
        gain.gain.setValueAtTime(LOUD, from);
        gain.gain.exponentialRampToValueAtTime(0.001, from + step * 1.6);
        oscillator.connect(gain).connect(audio.destination);
        oscillator.start(from);
        oscillator.stop(from + step * 1.6);
    }
}
