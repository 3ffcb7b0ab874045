// What all scripts of pages make markup with.

/// <reference types="preact" />

declare const htm: typeof import("htm").default;
