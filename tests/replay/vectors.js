// Judges vectors with the JavaScript verifier: node vectors.js FOLDER [own [N]] prints, of every Nth, {path: {outcome, says, expect, needs}}.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const folder = path.resolve(process.argv[2]);
const own = process.argv[3] === "own"; // the verifier's own arithmetic instead of the platform's
const every = Number(process.argv[4] ?? 1);
const { Fault } = require("./load.js");
const JUDGES = require("./judges.js").judges(own);

function read(file) {
  const data = fs.readFileSync(file);
  const split = data.indexOf("\n\n");
  const head = Object.fromEntries(data.subarray(0, split).toString().split("\n").map((l) => [l.slice(0, l.indexOf(":")), l.slice(l.indexOf(":") + 2)]));
  let body = data.subarray(split + 2);
  if (head.encoding === "zlib+base64") body = zlib.inflateSync(Buffer.from(body.toString(), "base64"));
  return { head, body: Uint8Array.from(body) };
}

async function main() {
  const results = {};
  let seen = 0;
  for (const kind of fs.readdirSync(folder).sort()) {
    if (!fs.statSync(path.join(folder, kind)).isDirectory()) continue;
    for (const name of fs.readdirSync(path.join(folder, kind)).sort()) {
      if (seen++ % every) continue;
      const { head, body } = read(path.join(folder, kind, name));
      let [outcome, says] = ["done", ""];
      try {
        await JUDGES[head.kind](body, head);
      } catch (fault) {
        [outcome, says] = fault instanceof Fault ? [fault.outcome, fault.message] : ["crash", String(fault.stack)];
      }
      results[`${kind}/${name}`] = { outcome, says, expect: head.expect, needs: head.needs ?? "" };
    }
  }
  console.log(JSON.stringify(results));
}

main();
