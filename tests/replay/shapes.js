// Reads a list of documents from standard input, prints for each what its shape comes to: "done" or the outcome.
"use strict";
const fs = require("node:fs");
const pbem = require("./load.js");

const judges = { charter: pbem.checkCharterShape, slip: pbem.checkSlipShape, heal: pbem.checkHealShape };

function outcome(document) {
  try {
    (judges[document.type] ?? pbem.checkFileShape)(document);
  } catch (fault) {
    if (!(fault instanceof pbem.Fault)) throw fault;
    return fault.outcome;
  }
  return "done";
}

console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(outcome)));
