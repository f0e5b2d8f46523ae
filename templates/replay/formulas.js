// The formulas of the protocol: links (SPEC 4), seeds and dice (SPEC 6), draws, trees, commitments and seals (SPEC 8).
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { canonical, hex, hmac, join, sha256, u32be, u64be, unhex, utf8 } = pbem;

  /** The link before a link: x_i from x_{i+1}. */
  const linkBefore = (nonce, link) => hex(sha256(join("pbem/1 link\n", unhex(nonce), unhex(link))));

  /** seed_k from the link of file k+1, game, k and the id of file k. */
  const seedOf = (link, game, k, id) => hmac(unhex(link), "pbem/1 seed\n", unhex(game), u64be(k), unhex(id));

  /** Numbers below the given sizes, one after the other, from words of HMAC blocks. */
  function* words(block) {
    for (let number = 0; ; number++) {
      const view = new DataView(block(number).buffer);
      for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
    }
  }

  function below(size, source) {
    if (size < 1) throw new pbem.Fault("audit: lie proved", "more is drawn than there is");
    for (;;) {
      const word = source.next().value;
      if (word < Math.floor(2 ** 32 / size) * size) return word % size;
    }
  }

  /** The dice of roll i: `count` dice of `sides`. */
  function roll(seed, i, label, count, sides) {
    const source = words((number) => hmac(seed, "pbem/1 roll\n", u32be(i), u32be(number), label));
    return Array.from({ length: count }, () => 1 + below(sides, source));
  }

  /** Texts by their code points, which is the order of their UTF-8 bytes (and not that of UTF-16 units). */
  function byCodePoint(texts) {
    const keyed = texts.map((text) => [hex(utf8(text)), text]);
    return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, text]) => text);
  }

  /** The items that draw key `key` takes with a seed from the pool: the sorted base less each item that is held, once. */
  function drawItems(key, seed, base, less, count) {
    const secret = hmac(key, "pbem/1 draw\n", seed);
    const source = words((number) => hmac(secret, "pbem/1 shuffle\n", u32be(number)));
    const pool = byCodePoint(base);
    for (const held of less) pool.splice(pool.indexOf(held), 1);
    return Array.from({ length: count }, () => pool.splice(below(pool.length, source), 1)[0]);
  }

  const privateRoll = (key, seed, label, count, sides) => roll(hmac(key, "pbem/1 draw\n", seed), 0, label, count, sides);

  /** The root to which draw key j leads by a path of ten siblings; "" for a path of another length. A tree has 1024 leaves. */
  function merkleRoot(nonce, draw, key, path) {
    const j = draw % 1024;
    if (path.length !== 10) return "";
    let node = sha256(join(Uint8Array.of(0), "pbem/1 draw key\n", unhex(nonce), u32be(j), unhex(key)));
    path.forEach((sibling, level) => {
      const [left, right] = (j >> level) & 1 ? [unhex(sibling), node] : [node, unhex(sibling)];
      node = sha256(join(Uint8Array.of(1), left, right));
    });
    return hex(node);
  }

  const promise = (tag, game, key, first, number, salt, content) =>
    hex(sha256(join(tag, unhex(game), pbem.keyBytes(key), first, u32be(number), unhex(salt), canonical(content))));
  const commitment = (game, key, j, i, salt, item) => promise("pbem/1 card\n", game, key, u32be(j), i, salt, item);
  const seal = (game, key, seq, number, salt, order) => promise("pbem/1 sealed\n", game, key, u64be(seq), number, salt, order);

  Object.assign(pbem, { linkBefore, seedOf, roll, byCodePoint, drawItems, privateRoll, merkleRoot, commitment, seal });
})();
