// Reads a list of texts from standard input, prints for each whether it is a name and what it looks like.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

for (const part of ["bytes", "names"]) {
  require(path.join(__dirname, "..", "..", "templates", "replay", `${part}.js`));
}
const { pbem } = globalThis;
const texts = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => [pbem.isName(text), pbem.isName(text) ? [...new Set(pbem.skeletons(text))].sort() : []])));
