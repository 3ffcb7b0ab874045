// `node scripts/pages/vendor.js` puts the libraries of package.json into the viewer's page, all in one file, and their
// licences beside it; with --check it only says whether what is there is just that.
// To renew one: change its version in package.json, `npm install` here, run this and the tests of tests/records/view.
"use strict";

const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const LIBRARIES = { preact: "dist/preact.min.umd.js", htm: "dist/htm.umd.js" };
const PAGE = join(__dirname, "..", "..", "table", "records", "view", "page", "lib");

/** @type {(name: string, file: string) => string} */
const read = (name, file) => readFileSync(join(__dirname, "node_modules", name, file), "utf8");

/** @type {(name: string, file: string) => string} */
function script(name, file) {
    const { version, license } = JSON.parse(read(name, "package.json"));
    const head = `${name} ${version} (${file}), (c) Jason Miller, ${license}; its licence: LICENSES.txt`;
    const text = read(name, file).replace(/\/\/# sourceMappingURL=.*/, "");
    return `/*! ${head} */\n${text.trim()}\n`;
}

/** @type {(name: string) => string} */
const licence = (name) => `${name}\n\n${read(name, "LICENSE").trim()}\n`;

/** @type {Record<string, string>} */
const wanted = {
    "LICENSES.txt": Object.keys(LIBRARIES)
        .map(licence)
        .join(`\n${"-".repeat(80)}\n`),
    "templates.js": Object.entries(LIBRARIES)
        .map(([name, file]) => script(name, file))
        .join(""),
};

let stale = 0;
for (const [name, content] of Object.entries(wanted)) {
    const path = join(PAGE, name);
    if (!process.argv.includes("--check")) writeFileSync(path, content);
    else if (readFileSync(path, "utf8") !== content) {
        console.error(`${path} is not what package.json wants: run node scripts/pages/vendor.js`);
        stale++;
    }
}
process.exit(stale ? 1 : 0);
