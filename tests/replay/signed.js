// Reads a recorded game from standard input; prints the faults of each file, what came beside it, and what the audit finds.
"use strict";
const fs = require("node:fs");
const pbem = require("./load.js");

/** What a document beside the log comes to, judged on the files up to `after`. */
async function beside(game, { after, document }) {
  const { verdicts } = await pbem.judgeGame(game.charter, [...game.files.slice(0, after), document]);
  return verdicts.at(-1).faults[0]?.outcome ?? "done";
}

async function audit(log, slips) {
  try {
    await pbem.checkAudit(log, slips);
  } catch (fault) {
    if (!(fault instanceof pbem.Fault)) throw fault;
    return `${fault.outcome}: ${fault.message}`;
  }
  return "done";
}

async function main() {
  const game = JSON.parse(fs.readFileSync(0, "utf8"));
  const { verdicts, log } = await pbem.judgeGame(game.charter, game.files);
  const aside = [];
  for (const one of game.aside) aside.push(await beside(game, one));
  console.log(JSON.stringify({ faults: verdicts.map((verdict) => verdict.faults), aside, audit: await audit(log, game.slips) }));
}

main();
