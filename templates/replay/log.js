// A log so far: who plays, which key signs where, chains, draws, seals, offers, claims (SPEC 3 to 9).
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { Fault, documentId, signedText } = pbem;
  const refuse = (outcome, says) => {
    throw new Fault(outcome, says);
  };

  /** The fault that a check finds, or null. */
  async function faultOf(check) {
    try {
      await check();
    } catch (fault) {
      if (fault instanceof Fault) return fault;
      throw fault;
    }
    return null;
  }

  /** A player's chain: tip or link shown last, how many are left, how many of them the next file leaves out, what is announced. */
  const chainFrom = (tip, length) => ({ last: tip, left: length, skip: 0, again: null, next: null });

  function startLog(charter) {
    const game = documentId(charter);
    const log = { charter, game, ids: [game], files: [charter], chains: {}, keys: {}, known: { key: new Set(), tip: new Set(), root: new Set() } };
    log.roots = {};
    log.offer = null;
    log.over = false; // by what this verifier can see: an agreed draw, a side that has resigned
    log.resigned = new Set();
    log.slips = new Set(); // ids of those that files hold
    log.rulings = []; // {place, head, due, by, then}
    log.decides = new Set(); // files whose orders stand
    log.void = new Set(); // files that an undo took back
    log.gone = new Set(); // ids of files that a heal gave up
    log.heals = new Map(); // the newest file that a heal keeps -> links that may have turned its dice at once
    log.mayBeVoid = new Set(); // seals of orders that a heal may have had asked again
    log.commits = new Map(); // "PLAYER j" -> {hashes, seq}
    log.seals = new Map(); // "SEQ:NUMBER" -> {hash, player}
    log.claims = { least: 0, most: 0 }; // the number of the next claim
    log.claimed = [{ before: 0, after: 0 }]; // the same before and after each file
    log.seed = { k: 0, rolls: 0 }; // the seed used last, and how many rolls it gave
    for (const [player, { key, chain, chain_length, draws }] of Object.entries(charter.players)) {
      log.keys[player] = [];
      log.roots[player] = [];
      holdFrom(log, { player, key, chain, chain_length, draws }, 0);
    }
    return log;
  }

  /** Key, chain and draw tree of a player from a file on. */
  function holdFrom(log, { player, key, chain, chain_length, draws }, from) {
    log.keys[player].push({ key, from });
    log.roots[player].push(draws);
    log.chains[player] = chainFrom(chain, chain_length);
    log.known.key.add(key);
    log.known.tip.add(chain);
    log.known.root.add(draws);
  }

  const umpireOf = (log) => log.charter.umpire?.player;
  const plays = (log, player) => Object.hasOwn(log.charter.players, player);
  const sideOf = (log, player) => Object.values(log.charter.seats).find((seat) => seat.player === player)?.side ?? "umpire's";
  const keyAt = (log, player, seq) => log.keys[player].findLast((held) => held.from <= seq).key;
  const playersInOrder = (log) => [...new Set(Object.values(log.charter.seats).map((seat) => seat.player))];
  const others = (log, ...left) => playersInOrder(log).filter((player) => !left.includes(player));

  /** The player who owns a handle's seat (a sealed clause names the player himself). */
  function ownerOf(log, word) {
    if (Object.hasOwn(log.charter.seats, word)) return log.charter.seats[word].player;
    return plays(log, word) ? word : null;
  }

  const isSigned = async (document, key, own) =>
    !(await faultOf(() => pbem.checkSignature(key, signedText(document), document.signature, own)));

  /** A key that signs at a place; one that the player gave up is a wrong key. Behind a gap any of his will do. */
  async function checkKey(log, document, signer, seq, own, any = false) {
    if (await isSigned(document, keyAt(log, signer, seq), own)) return;
    for (const { key } of log.keys[signer]) {
      if (!(await isSigned(document, key, own))) continue;
      if (any) return;
      refuse("wrong key", `signed with a key that ${signer} gave up`);
    }
    refuse("bad signature", "the signature does not fit the text and the key");
  }

  /** A document is of this game, and of the version of the protocol that the charter says. */
  function checkGame(log, document) {
    if (document.game !== log.game) refuse("foreign game", `it is of game ${document.game.slice(0, 8)}`);
    if (document.pbem !== log.charter.pbem) refuse("unreadable", `this game is played under version ${log.charter.pbem} of the protocol`);
  }

  Object.assign(pbem, { refuse, faultOf, startLog, chainFrom, holdFrom, checkKey, checkGame });
  Object.assign(pbem, { umpireOf, plays, sideOf, keyAt, playersInOrder, others, ownerOf });
})();
