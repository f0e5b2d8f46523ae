// Reads {"charter", "files"} from standard input, prints the verdict of every file.
"use strict";
const fs = require("node:fs");
const pbem = require("./load.js");

async function main() {
  const game = JSON.parse(fs.readFileSync(0, "utf8"));
  const { verdicts } = await pbem.judgeGame(game.charter, game.files);
  console.log(JSON.stringify({ verdicts }));
}

main();
