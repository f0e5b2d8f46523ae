// Reads the file of protocol-1.json from standard input, prints the same numbers as the verifier computes them.
"use strict";
const fs = require("node:fs");
const pbem = require("./load.js");
const given = JSON.parse(fs.readFileSync(0, "utf8"));
const seed = pbem.seedOf(given.link, given.document.game, given.document.seq, pbem.documentId(given.document));
console.log(
  JSON.stringify({
    previous_link: pbem.linkBefore(given.nonce, given.link),
    canonical_sha256: pbem.hex(pbem.sha256(pbem.utf8(pbem.signedText(given.document)))),
    id: pbem.documentId(given.document),
    seed: pbem.hex(seed),
    rolls: given.rolls.map((r) => ({ ...r, dice: pbem.roll(seed, r.index, r.label, r.n, r.sides) })),
  }),
);
