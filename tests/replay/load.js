// The verifier of templates/replay in node: all its parts but the page's own.
"use strict";
const path = require("node:path");

const PARTS = ["bytes", "ed25519", "names", "document", "shapes", "formulas", "log", "slips", "heal", "verify", "reading"];
for (const part of PARTS) require(path.join(__dirname, "..", "..", "templates", "replay", `${part}.js`));
module.exports = globalThis.pbem;
