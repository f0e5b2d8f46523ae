// Reads {"charter", "files"} from standard input, prints the verdict of every file.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

for (const part of ["bytes", "ed25519", "document", "verify"]) {
  require(path.join(__dirname, "..", "..", "templates", "replay", `${part}.js`));
}

async function main() {
  const game = JSON.parse(fs.readFileSync(0, "utf8"));
  const { pbem } = globalThis;
  const { verdicts } = await pbem.judgeGame(game.charter, game.files);
  console.log(JSON.stringify({ verdicts }));
}

main();
