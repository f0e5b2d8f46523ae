// The log (SPEC 4, 5, 6, 8, 9): chains with renewal, dice from seeds, draws, commitments, seals, offers, change of key.
// What only the rules of a game can say (who is asked, which dice are due, whether an order is legal) is not judged here.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { Fault, canonical, documentId, hex, hmac, join, sha256, signedText, u32be, u64be, unhex } = pbem;
  const RENEW_BELOW = 64;

  // -- formulas ---------------------------------------------------------------------------------------------------------------

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

  /** The items that draw key `key` takes with a seed from the pool: base less what is held. */
  function drawItems(key, seed, base, less, count) {
    const secret = hmac(key, "pbem/1 draw\n", seed);
    const source = words((number) => hmac(secret, "pbem/1 shuffle\n", u32be(number)));
    const pool = base.filter((item) => !less.some((held) => canonical(held) === canonical(item)));
    pool.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
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

  // -- what the log holds so far --------------------------------------------------------------------------------------------------

  /** A player's chain: tip or link shown last, how many are left, and the chain that is announced. */
  const chainFrom = (tip, length) => ({ last: tip, left: length, next: null });

  function startLog(charter) {
    const log = { charter, game: documentId(charter), ids: [], files: [], chains: {}, keys: {}, roots: {}, offer: null };
    log.commits = new Map(); // "SEAT'S PLAYER j" -> hashes
    log.seals = new Map(); // "SEAT:sealSEQ:NUMBER" -> hash
    log.opened = new Set();
    log.claims = 0;
    log.seed = { k: 0, rolls: 0 }; // the seed used last, and how many rolls it gave
    log.ids.push(log.game);
    log.files.push(charter);
    for (const [player, { key, chain, chain_length, draws }] of Object.entries(charter.players)) {
      log.chains[player] = chainFrom(chain, chain_length);
      log.keys[player] = [{ key, from: 0 }];
      log.roots[player] = [draws];
    }
    return log;
  }

  const umpireOf = (log) => log.charter.umpire?.player;
  const seatsOf = (log, player) => Object.keys(log.charter.seats).filter((seat) => log.charter.seats[seat].player === player);
  const sideOf = (log, player) => log.charter.seats[seatsOf(log, player)[0]]?.side ?? "umpire";
  const keyAt = (log, player, seq) => log.keys[player].findLast((held) => held.from <= seq).key;
  const playersInOrder = (log) => [...new Set(Object.values(log.charter.seats).map((seat) => seat.player))];

  /** The player who owns a handle's seat (a sealed clause names the player himself). */
  const ownerOf = (log, word) => log.charter.seats[word]?.player ?? (Object.hasOwn(log.charter.players, word) ? word : null);

  // -- the checks of one file: each throws a Fault ----------------------------------------------------------------------------------

  function checkPlace(log, file) {
    if (file.game !== log.game) throw new Fault("foreign game", `it is of game ${file.game.slice(0, 8)}`);
    const filled = log.ids.length;
    if (file.seq > filled) throw new Fault("waiting", `file ${filled} is missing`);
    if (file.seq < filled && log.ids.includes(documentId(file))) throw new Fault("already known", `file ${file.seq} is in the log`);
    if (!Object.hasOwn(log.charter.players, file.player)) throw new Fault("wrong key", `${file.player} does not play`);
    const { umpire } = log.charter;
    if (file.signed_by && (umpire?.role !== "escrow" || umpire.player !== file.signed_by)) {
      throw new Fault("wrong key", "only an umpire with the escrow signs for another");
    }
  }

  /** A second file for a place that is filled: proof against its author when he signed both. */
  async function checkSecond(log, file, own) {
    if (file.seq >= log.ids.length) return;
    await checkSigner(log, file, own);
    const first = log.files[file.seq];
    const proves = first.player === file.player && !first.signed_by && !file.signed_by;
    if (proves) throw new Fault("equivocation proved", `${file.player} signed two files for place ${file.seq}`);
    throw new Fault("wrong key", `place ${file.seq} was ${first.player}'s`);
  }

  async function checkSigner(log, file, own) {
    const signer = file.signed_by || file.player;
    await pbem.checkSignature(keyAt(log, signer, file.seq), signedText(file), file.signature, own);
  }

  function checkPrevious(log, file) {
    if (file.prev !== log.ids.at(-1)) throw new Fault("bad chain", "it answers another file than the one before it");
  }

  /** Whether the announced chain has taken over: the other side (for an umpire: anybody) has sent a file since. */
  function renewalDue(log, player, chain) {
    if (!chain.next) return false;
    const since = log.files.slice(chain.next.seq + 1).map((file) => file.player);
    const own = sideOf(log, player);
    return since.some((other) => (player === umpireOf(log) ? other !== player : sideOf(log, other) !== own && sideOf(log, other) !== "umpire"));
  }

  function checkLink(log, file) {
    const { player, link, next_chain: announced, next_draws: root } = file;
    let chain = log.chains[player];
    if (renewalDue(log, player, chain)) chain = log.chains[player] = chainFrom(chain.next.tip, chain.next.length);
    if (linkBefore(log.charter.nonce, link) !== chain.last || chain.left < 1) {
      throw new Fault("bad chain", `the link is not the next of ${player}'s chain`);
    }
    chain.last = link;
    chain.left -= 1;
    if (announced) {
      if (chain.next) throw new Fault("bad chain", `${player} has announced a next chain already`);
      chain.next = { ...announced, seq: file.seq };
    }
    if (root) log.roots[player].push(root);
    if (chain.left < RENEW_BELOW && !chain.next) throw new Fault("bad chain", "fewer than 64 links are left and no new chain is announced");
  }

  /** The file whose seed the next file's dice come from: the newest with orders, or, where its seed is nobody's, the newest. */
  function sourceOf(log) {
    const newest = log.files.length - 1;
    const decided = Math.max(1, log.files.findLastIndex((file) => file.orders?.length));
    const after = log.files[decided + 1];
    return after && sideOf(log, after.player) === sideOf(log, log.files[decided].player) ? newest : decided;
  }

  /** Recompute every roll that the file records; it counts on where an earlier file used the same seed. */
  function checkDice(log, file) {
    if (!file.dice?.length) return;
    const k = sourceOf(log);
    const turner = log.files[k + 1] ?? file;
    if (k >= file.seq || sideOf(log, turner.player) === sideOf(log, log.files[k].player)) {
      throw new Fault("bad dice", "dice that are turned by the side which gave the orders");
    }
    if (log.seed.k !== k) log.seed = { k, rolls: 0 };
    const seed = seedOf(turner.link, log.game, k, log.ids[k]);
    for (const { roll: index, label, sides, dice } of file.dice) {
      if (index !== log.seed.rolls) throw new Fault("bad dice", `roll ${log.seed.rolls} of seed ${k} is recorded as roll ${index}`);
      const right = roll(seed, index, label, dice.length, sides);
      if (canonical(right) !== canonical(dice)) {
        throw new Fault("bad dice", `roll ${index}, ${label}: the file says ${dice.join(" ")}, the seed gives ${right.join(" ")}`);
      }
      log.seed.rolls += 1;
    }
  }

  function checkCommits(log, file) {
    for (const { draw, items } of file.commit ?? []) {
      const name = `${file.player} ${draw}`;
      if (log.commits.has(name)) throw new Fault("bad opening", `${file.player} committed to draw ${draw} before`);
      log.commits.set(name, { hashes: items, seq: file.seq });
    }
  }

  /** Note the seals of a file: those of orders first, then those of standing_sealed by kind. */
  function noteSeals(log, file) {
    const clauses = Object.keys(file.standing_sealed ?? {}).sort().flatMap((kind) => file.standing_sealed[kind]);
    const inOrders = [];
    const visit = (value) => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (pbem.isMap(value)) {
        if (typeof value.sealed === "string") inOrders.push(value.sealed);
        else Object.keys(value).forEach((key) => visit(value[key]));
      }
    };
    visit(file.orders ?? []);
    [...inOrders, ...clauses].forEach((hash, number) => log.seals.set(`${file.seq}:${number}`, { hash, player: file.player }));
  }

  function checkOpening(log, file, { handle, salt, ...content }) {
    const [, word, kind, first, number] = /^(.+):(draw|seal)(\d+):(\d+)$/.exec(handle);
    const owner = ownerOf(log, word);
    const bad = (says) => {
      throw new Fault("bad opening", `${handle}: ${says}`);
    };
    if (owner !== file.player) bad("it is not his to open");
    const key = (seq) => keyAt(log, owner, seq);
    const [j, i] = [Number(first), Number(number)];
    if (kind === "draw") {
      const promised = log.commits.get(`${owner} ${j}`);
      if (!promised || !("item" in content)) bad("no commitment stands in the log");
      if (commitment(log.game, key(promised.seq), j, i, salt, content.item) !== promised.hashes[i]) bad("it is not what was committed to");
    } else {
      const promised = log.seals.get(`${j}:${i}`);
      if (!promised || promised.player !== owner || !("order" in content)) bad("no seal stands in the log");
      if (seal(log.game, key(j), j, i, salt, content.order) !== promised.hash) bad("it is not what was sealed");
    }
    log.opened.add(handle);
  }

  function checkOpenings(log, file) {
    checkCommits(log, file);
    for (const opening of file.open ?? []) {
      if (!("claim" in opening)) checkOpening(log, file, opening);
      else if (opening.claim !== log.claims++) throw new Fault("bad opening", `claim ${opening.claim} is the game's claim ${log.claims - 1}`);
    }
    noteSeals(log, file);
  }

  async function checkSlips(log, file) {
    for (const slip of file.slips ?? []) {
      if (slip.game !== log.game) throw new Fault("foreign game", "a slip of another game");
      if (!Object.hasOwn(log.keys, slip.player)) throw new Fault("wrong key", `a slip of ${slip.player}, who does not play`);
      await pbem.checkSlip(slip, keyAt(log, slip.player, file.seq));
      if (!log.ids.includes(slip.head)) throw new Fault("bad chain", "a slip names a head that is not in the log");
    }
  }

  // -- offers ------------------------------------------------------------------------------------------------------------------

  /** Offers, their acceptance, and the new key, chain and root that an accepted `seat` file brings. */
  function followOffers(log, file) {
    if (file.type === "seat" && file.player === umpireOf(log)) return takeOver(log, file.seat, file.seq + 1);
    if (["undo", "offer", "seat"].includes(file.type)) {
      const waiting = playersInOrder(log).filter((p) => p !== file.player && p !== file.seat?.player);
      log.offer = { id: log.ids.at(-1), waiting, seat: file.seat };
      if (file.seat && file.seat.from !== file.seq + waiting.length + 1) {
        throw new Fault("refused by rule", `the new key holds from file ${file.seq + waiting.length + 1}`);
      }
      return undefined;
    }
    if (file.type === "accept" && log.offer?.id === file.accepts) {
      log.offer.waiting = log.offer.waiting.filter((player) => player !== file.player);
      if (log.offer.waiting.length) return undefined;
      if (log.offer.seat) takeOver(log, log.offer.seat, file.seq + 1);
    }
    log.offer = null;
    return undefined;
  }

  function takeOver(log, seat, from) {
    log.keys[seat.player].push({ key: seat.key, from });
    log.chains[seat.player] = chainFrom(seat.chain, seat.chain_length);
    log.roots[seat.player].push(seat.draws);
  }

  // -- the log -----------------------------------------------------------------------------------------------------------------

  /** What is checked of every file, in the order in which a fault is named. */
  const CHECKS = [
    ["form", (log, file) => pbem.checkFileShape(file)],
    ["place", checkPlace],
    ["place", checkSecond],
    ["signature", checkSigner],
    ["hash chain", checkPrevious],
    ["link", checkLink],
    ["dice", checkDice],
    ["openings", checkOpenings],
    ["slips", checkSlips],
  ];

  /** Judge the next file and take it into the log. Gives {seq, id, faults: [{check, outcome, says}]}; without faults it holds. */
  async function judgeFile(log, file, own = false) {
    const faults = [];
    for (const [check, judge] of CHECKS) {
      try {
        await judge(log, file, own);
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        faults.push({ check, outcome: fault.outcome, says: fault.message });
        if (check === "form" || check === "place") return { id: "", faults };
      }
    }
    log.ids.push(documentId(file));
    log.files.push(file);
    try {
      followOffers(log, file);
    } catch (fault) {
      faults.push({ check: "offer", outcome: fault.outcome, says: fault.message });
    }
    return { id: log.ids.at(-1), faults };
  }

  /** Judge a whole game; `tell(seq, verdict)` hears of every file as soon as it is judged. */
  async function judgeGame(charter, files, tell = () => {}, own = false) {
    const first = { id: "", faults: [] };
    try {
      first.id = await pbem.checkCharter(charter, own);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      first.faults.push({ check: "charter", outcome: fault.outcome, says: fault.message });
    }
    await tell(0, first);
    const verdicts = [first];
    if (first.faults.some((f) => f.outcome !== "bad signature")) return { verdicts, log: null };
    const log = startLog(charter);
    for (const file of files) {
      const verdict = await judgeFile(log, file, own);
      verdicts.push(verdict);
      await tell(verdicts.length - 1, verdict);
    }
    return { verdicts, log };
  }

  // -- audit -------------------------------------------------------------------------------------------------------------------

  /** Refuse audit slips that leave a draw or a seal closed, or show a key or content that was not promised. */
  async function checkAudit(log, slips) {
    const lie = (says) => {
      throw new Fault("audit: lie proved", says);
    };
    const shown = { keys: new Map(), seals: new Map() };
    for (const slip of slips) {
      await pbem.checkSlip(slip, keyAt(log, slip.player, log.files.length));
      slip.keys.forEach((key) => shown.keys.set(`${slip.player} ${key.draw}`, key));
      slip.open.forEach((opening) => shown.seals.set(opening.handle.replace(/^.*:seal/, ""), opening));
    }
    for (const name of log.commits.keys()) {
      const key = shown.keys.get(name);
      const [player, j] = name.split(" ");
      if (!key) lie(`${player} does not show the key of draw ${j}`);
      if (!log.roots[player].includes(merkleRoot(log.charter.nonce, key.draw, key.key, key.path))) lie(`${player}: key ${j} is not in his tree`);
    }
    for (const [place, { hash, player }] of log.seals) {
      const opening = shown.seals.get(place);
      const [seq, number] = place.split(":").map(Number);
      if (!opening) lie(`${player} leaves seal ${number} of file ${seq} closed`);
      if (seal(log.game, keyAt(log, player, seq), seq, number, opening.salt, opening.order) !== hash) {
        lie(`${player} opens seal ${number} of file ${seq} otherwise than sealed`);
      }
    }
  }

  Object.assign(pbem, { linkBefore, seedOf, roll, drawItems, privateRoll, merkleRoot, commitment, seal });
  Object.assign(pbem, { startLog, judgeFile, judgeGame, checkAudit });
})();
