// The verifier in JavaScript as a command of SPEC 14: node conform.js document|log|value FILE [KEY].
"use strict";
const fs = require("node:fs");
const pbem = require("./load.js");
const { judges, must } = require("./judges.js");
const JUDGES = judges(false);

// SPEC 12
const CODES = {
  done: 0, "refused by rule": 1, waiting: 3, "log damaged": 4, unreadable: 5, "bad signature": 6, "wrong key": 7, "foreign game": 8,
  "already known": 9, "too large": 10, diverged: 11, "equivocation proved": 12, "bad opening": 13, "audit: lie proved": 14, "bad chain": 15,
  "bad dice": 16, "not written": 17, "program fault": 18,
};

const print = (document) => {
  console.log(`id: ${pbem.documentId(document)}`);
  console.log(`canonical-sha256: ${pbem.hex(pbem.sha256(pbem.utf8(pbem.signedText(document))))}`);
};

const VERBS = {
  document: async (bytes, key) => {
    const text = new TextDecoder().decode(bytes);
    let document;
    if (/(BEGIN|END)\s+PBEM/.test(text)) {
      const found = pbem.readBlocks(text);
      must(found.length === 1, "unreadable", "not one document");
      [document] = found;
    } else document = pbem.readYaml(bytes);
    if (document.type === "charter") await pbem.checkCharter(document);
    else if (document.type === "slip") await (key ? JUDGES.signedSlip(document, key) : pbem.checkSlipShape(document));
    else if (document.type === "heal") pbem.checkHealForm(document);
    else if (key) await JUDGES.signedFile(document, key);
    else if (pbem.FILE_TYPES.includes(document.type)) pbem.checkFileShape(document);
    print(document);
  },
  log: async (bytes) => {
    const game = JSON.parse(new TextDecoder().decode(bytes));
    await (game.slips.some((slip) => slip.slip === "audit") ? JUDGES.audit(bytes, {}) : JUDGES.log(bytes, {}));
  },
  value: async (bytes) => {
    const { kind, case: what } = JSON.parse(new TextDecoder().decode(bytes));
    await JUDGES[kind](pbem.utf8(kind === "key" ? what : JSON.stringify(what)), {});
    if (kind === "document") print(what);
  },
};

async function main([verb, file, key]) {
  if (!Object.hasOwn(VERBS, verb) || !file) process.exit(2);
  try {
    await VERBS[verb](Uint8Array.from(fs.readFileSync(file)), key);
  } catch (fault) {
    console.error(fault.stack);
    process.exitCode = CODES[fault instanceof pbem.Fault ? fault.outcome : "program fault"];
  }
}

main(process.argv.slice(2));
