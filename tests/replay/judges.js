// What the JavaScript verifier makes of each kind of vector; `own`: its own Ed25519 instead of the platform's.
"use strict";
const pbem = require("./load.js");
const { Fault } = pbem;
const text = (body) => new TextDecoder().decode(body);
const json = (body) => JSON.parse(text(body));
const sha = (words) => pbem.hex(pbem.sha256(pbem.utf8(words)));

function must(condition, outcome, says) {
  if (!condition) throw new Fault(outcome, says);
}

async function judgeLog(game, own) {
  const { verdicts, log } = await pbem.judgeGame(game.charter, game.files, () => {}, own);
  const fault = verdicts.flatMap((v) => v.faults)[0];
  if (fault) throw new Fault(fault.outcome, fault.says);
  return log;
}

async function signedFile(file, key, own) {
  pbem.checkFileShape(file);
  await pbem.checkSignature(key, pbem.signedText(file), file.signature, own);
}

async function signedSlip(slip, key, own) {
  await pbem.checkSlip(slip, key, own);
  if (slip.slip === "equivocation") await pbem.checkEquivocation(...slip.files, key, own);
}

const judges = (own) => ({
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
  file: (body, head) => signedFile(pbem.readYaml(body), head.key, own),
  heal: (body) => pbem.checkHealForm(pbem.readYaml(body)),
  slip: (body, head) => signedSlip(pbem.readYaml(body), head.key, own),
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
  log: (body) => judgeLog(json(body), own),
  audit: async (body) => {
    const game = json(body);
    await pbem.checkAudit(await judgeLog(game, own), game.slips, own);
  },
  store: (body) => pbem.checkStore(body),
  signedFile: (file, key) => signedFile(file, key, own),
  signedSlip: (slip, key) => signedSlip(slip, key, own),
});

module.exports = { judges, must };
