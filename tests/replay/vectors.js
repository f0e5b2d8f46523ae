// Judges vectors with the JavaScript verifier: node vectors.js FOLDER [own] prints {path: {outcome, says, expect, needs}}.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const folder = path.resolve(process.argv[2]);
const code = path.join(__dirname, "..", "..", "templates", "replay");
const own = process.argv[3] === "own"; // the verifier's own arithmetic instead of the platform's
for (const part of ["bytes", "ed25519", "document", "verify", "reading"]) {
  require(path.join(code, `${part}.js`));
}
const { pbem } = globalThis;
const { Fault } = pbem;
const text = (body) => new TextDecoder().decode(body);
const json = (body) => JSON.parse(text(body));
const sha = (words) => pbem.hex(pbem.sha256(pbem.utf8(words)));

function must(condition, outcome, says) {
  if (!condition) throw new Fault(outcome, says);
}

async function judgeLog(game) {
  const { verdicts, log } = await pbem.judgeGame(game.charter, game.files, () => {}, own);
  const fault = verdicts.flatMap((v) => v.faults)[0];
  if (fault) throw new Fault(fault.outcome, fault.says);
  return log;
}

const JUDGES = {
  yaml: (body, head) => {
    const document = pbem.readYaml(body);
    if (head.expect === "done") must(sha(pbem.canonical(document)) === head["canonical-sha256"], "diverged", pbem.canonical(document));
  },
  document: (body, head) => {
    const document = json(body);
    const [signed, id] = [sha(pbem.signedText(document)), pbem.documentId(document)];
    if (head.expect === "done") must(signed === head["canonical-sha256"] && id === head.id, "diverged", signed);
  },
  key: (body) => void pbem.keyBytes(text(body)),
  signature: async (body) => {
    const c = json(body);
    await pbem.checkSignature(c.key, c.message, c.signature, own);
  },
  sshsig: async (body) => {
    const c = json(body);
    await pbem.checkSignature(c.key, c.message, pbem.fromArmored(c.armored), own);
  },
  charter: async (body) => void (await pbem.checkCharter(pbem.readYaml(body), own)),
  file: async (body, head) => {
    const file = pbem.readYaml(body);
    pbem.checkFileShape(file);
    await pbem.checkSignature(head.key, pbem.signedText(file), file.signature, own);
  },
  slip: async (body, head) => pbem.checkSlip(pbem.readYaml(body), head.key),
  block: (body, head) => {
    const found = pbem.readBlocks(text(body));
    must(found.length === 1 && pbem.documentId(found[0]) === head.id, "diverged", "another document");
  },
  chain: (body) => {
    const c = json(body);
    must(pbem.linkBefore(c.nonce, c.link) === c.last, "bad chain", "not the next link");
  },
  dice: (body) => {
    const c = json(body);
    const seed = pbem.seedOf(c.link, c.game, c.k, c.id);
    const right = pbem.roll(seed, c.index, c.label, c.dice.length, c.sides);
    must(String(right) === String(c.dice), "bad dice", String(right));
  },
  merkle: (body) => {
    const c = json(body);
    must(pbem.merkleRoot(c.nonce, c.draw, c.key, c.path) === c.root, "audit: lie proved", "not in the tree");
  },
  draw: (body) => {
    const c = json(body);
    const [key, seed] = [pbem.unhex(c.key), pbem.unhex(c.seed)];
    const right = c.sides
      ? [pbem.privateRoll(key, seed, c.label, c.drawn[0].length, c.sides)]
      : pbem.drawItems(key, seed, c.base, c.less ?? [], c.drawn.length);
    must(pbem.canonical(right) === pbem.canonical(c.drawn), "audit: lie proved", pbem.canonical(right));
  },
  opening: (body) => {
    const c = json(body);
    const right = "order" in c
      ? pbem.seal(c.game, c.key, c.seq, c.number, c.salt, c.order)
      : pbem.commitment(c.game, c.key, c.draw, c.number, c.salt, c.item);
    must(right === c.hash, "bad opening", "not what was promised");
  },
  log: (body) => judgeLog(json(body)),
  audit: async (body) => {
    const game = json(body);
    await pbem.checkAudit(await judgeLog(game), game.slips);
  },
  store: (body) => pbem.checkStore(body),
};

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
  for (const kind of fs.readdirSync(folder).sort()) {
    if (!fs.statSync(path.join(folder, kind)).isDirectory()) continue;
    for (const name of fs.readdirSync(path.join(folder, kind)).sort()) {
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
