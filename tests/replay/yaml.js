// Reads a list of texts (base64) from standard input, prints for each the canonical form or the outcome.
"use strict";
const fs = require("node:fs");
const pbem = require("./load.js");
const texts = JSON.parse(fs.readFileSync(0, "utf8"));
const judged = texts.map((text) => {
  try {
    return pbem.canonical(pbem.readYaml(Uint8Array.from(Buffer.from(text, "base64"))));
  } catch (fault) {
    if (!(fault instanceof pbem.Fault)) throw fault;
    return `! ${fault.outcome}`;
  }
});
console.log(JSON.stringify(judged));
