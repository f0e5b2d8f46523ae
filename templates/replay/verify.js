// The log (SPEC 4, 5, 6, 8, 9): places, chains with renewal, offers, openings, dice.
// What only the rules of a game can say (who is asked, which dice are due, whether an order is legal) is not judged here.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { canonical, documentId, linkBefore, seedOf, refuse, faultOf, chainFrom, holdFrom, umpireOf, plays, sideOf, keyAt, others } = pbem;
  const [RENEW_BELOW, SKIPPED, SPARED] = [64, 64, 32];
  const STAND_IN_KEYS = new Set("pbem type game seq prev player signed_by link state dice note signature".split(" "));

  // -- before the place: each check throws a Fault ------------------------------------------------------------------------------

  function checkSigner(log, file) {
    if (!plays(log, file.player)) refuse("wrong key", `${file.player} does not play`);
    const holdsEscrow = log.charter.umpire?.role === "escrow" && file.signed_by === umpireOf(log);
    if (Object.hasOwn(file, "signed_by") && !holdsEscrow) refuse("wrong key", "only an umpire with the escrow signs for another");
  }

  const checkSignature = (log, file, own) => pbem.checkKey(log, file, file.signed_by ?? file.player, file.seq, own, file.seq > log.ids.length);

  // -- the place ------------------------------------------------------------------------------------------------------------------

  async function checkPlace(log, file, own) {
    const next = log.ids.length;
    if (file.seq < next) await explainFilled(log, file, own);
    if (file.seq > next) refuse("waiting", `file ${next} is missing`);
  }

  /** The place is filled: by this file, by another one of the same key (proof against him), or by somebody else's. */
  async function explainFilled(log, file, own) {
    const first = log.files[file.seq];
    if (log.ids[file.seq] === documentId(file)) refuse("already known", `file ${file.seq} is in the log`);
    if (log.gone.has(documentId(file))) refuse("already known", "it was given up when the game was healed");
    if (pbem.isPlace(first)) refuse("refused by rule", `place ${file.seq} was given up when the game was healed`);
    if (first.player !== file.player) refuse("wrong key", `file ${file.seq} in the log is by ${first.player}`);
    if (first.prev !== file.prev) refuse("bad chain", "it follows another file than the log's: two versions may exist");
    if (await pbem.stands(log, first, file, own)) refuse("refused by rule", "after a restore the log's file stands at this place");
    if (await pbem.stands(log, file, first, own)) refuse("diverged", "it stands against the log's file, after a restore");
    if (first.signed_by !== file.signed_by) {
      if (first.link !== file.link) refuse("bad chain", "another link than the one that was shown");
      refuse("already known", "turned with the same link: the dice are the same");
    }
    if (await pbem.refusalIn(log, first, documentId(file), own)) refuse("diverged", "the log's file replaces it, refused as it was");
    if (await pbem.refusalIn(log, file, log.ids[file.seq], own)) refuse("diverged", "refused and replaced, but valid here");
    refuse("equivocation proved", `${file.signed_by ?? file.player} signed two files for place ${file.seq}`);
  }

  function checkPrevious(log, file) {
    if (file.prev !== log.ids.at(-1)) refuse("bad chain", "it follows another file than the one before it");
  }

  /** Who is due, as far as it does not take the rules to know: who has to accept an offer; nobody when the game is over. */
  function checkAuthor(log, file) {
    if (log.over) refuse("wrong key", "the game is over");
    if (log.offer && !log.offer.waiting.includes(file.player)) refuse("wrong key", `${log.offer.waiting.join(", ")} has to answer the offer`);
  }

  function checkStandIn(log, file) {
    if (!file.signed_by) return;
    if (file.type !== "turn" || log.offer) refuse("refused by rule", "the umpire shows a link that is due, and nothing else");
    const isEmpty = (value) => !value || (typeof value === "object" && !Object.keys(value).length);
    const more = Object.keys(file).find((key) => !STAND_IN_KEYS.has(key) && !isEmpty(file[key]));
    if (more) refuse("refused by rule", `the umpire brings no ${more}`);
  }

  async function checkReplacement(log, file, own) {
    if (file.replaces && !(await pbem.refusalIn(log, file, file.replaces, own))) refuse("refused by rule", "it replaces a file without the refusal of another player");
  }

  // -- links, next chains, next draw trees -----------------------------------------------------------------------------------------

  /** Whether the announced chain has taken over: the former is used up by a loss, or somebody not of his side (for an umpire:
      anybody else) has sent a file since. */
  function renewalDue(log, player, chain) {
    if (!chain.next || chain.usedUp) return Boolean(chain.next);
    const since = log.files.slice(chain.next.seq + 1).filter((file) => !pbem.isPlace(file)).map((file) => file.player);
    if (player === umpireOf(log)) return since.some((other) => other !== player);
    return since.some((other) => sideOf(log, other) !== sideOf(log, player));
  }

  function checkFresh(log, what, value) {
    if (log.known[what].has(value)) refuse("refused by rule", `this ${what} is in the log already`);
  }

  function checkEscrow(log, { escrow }) {
    if ((log.charter.umpire?.role === "escrow") !== Boolean(escrow)) refuse("bad chain", "a new chain brings its escrow where the umpire holds one");
  }

  /** A player's chain; one that he has announced and that is due has taken over. */
  function takeOver(log, player) {
    const chain = log.chains[player];
    if (!renewalDue(log, player, chain)) return chain;
    const { tip, length, skip = 0 } = chain.next;
    return (log.chains[player] = Object.assign(chainFrom(tip, length - skip), { skip }));
  }

  function checkLink(log, file) {
    const { player, link, signed_by: umpire } = file;
    const chain = takeOver(log, player);
    const follows = ({ skip, left }) => {
      let before = link;
      for (let step = 0; step <= skip; step++) before = linkBefore(log.charter.nonce, before);
      return before === chain.last && left >= 1;
    };
    const same = chain.again?.find(follows); // a heal: the very link that was due before is due still
    if (!same && !follows(chain)) refuse("bad chain", `the link is not the next of ${player}'s chain`);
    const [left, later] = same ? [same.left, same.later] : [chain.left, 0];
    Object.assign(chain, { last: link, left: left - 1 - later, skip: later, again: null });
    announce(log, file, chain);
    if (file.pbem > 1 && pbem.restoredBy(file)) leaveOut(chain);
    if (!umpire && chain.left < RENEW_BELOW && !chain.next) refuse("bad chain", "fewer than 64 links are left and no new chain is announced");
  }

  /** Links that lost files may have shown turn nothing any more, on the chain in use and on the one announced behind it, which
      takes over at once where too few are left out of the former. */
  function leaveOut(chain) {
    const most = (left) => Math.max(0, Math.min(SKIPPED, left - SPARED));
    const skip = most(chain.left);
    chain.skip += skip;
    chain.left -= skip;
    if (!chain.next) return;
    const behind = chain.next.skip ?? 0;
    chain.next.skip = behind + most(chain.next.length - behind);
    if (skip < SKIPPED) chain.usedUp = true;
  }

  function announce(log, { player, seq, next_chain: renewal, next_draws: root }, chain) {
    if (renewal) {
      if (chain.next) refuse("bad chain", `${player} has announced a next chain already`);
      checkFresh(log, "tip", renewal.tip);
      if (player !== umpireOf(log)) checkEscrow(log, renewal);
      chain.next = { ...renewal, seq };
      log.known.tip.add(renewal.tip);
    }
    if (root) {
      checkFresh(log, "root", root);
      log.known.root.add(root);
      log.roots[player].push(root);
    }
  }

  // -- offers ----------------------------------------------------------------------------------------------------------------------

  /** What a file of each type does to offers. */
  const OFFERS = {
    turn: (log, file) => {
      if (!log.offer || file.signed_by) return;
      const { to, waiting } = log.offer;
      const isHis = to && log.files[to].player === file.player && waiting.length === 1;
      if (!isHis) refuse("refused by rule", "the offer is to be answered first");
      carryOut(log, file.seq);
    },
    undo: (log, file) => {
      if (!log.decides.has(file.to)) refuse("refused by rule", `file ${file.to} holds no orders to take back`);
      offer(log, file, others(log, file.player), { to: file.to });
    },
    offer: (log, file) => offer(log, file, others(log, file.player), file.offer),
    seat: (log, file) => {
      const alone = mayReplace(log, file) === "umpire" && file.player === umpireOf(log);
      const waiting = alone ? [] : others(log, file.player, file.seat.player);
      checkSeat(log, file, file.seq + waiting.length + 1);
      if (alone) holdFrom(log, file.seat, file.seq + 1);
      else offer(log, file, waiting, { seat: file.seat });
    },
    accept: (log, file) => {
      if (log.offer?.id !== file.accepts) refuse("refused by rule", "there is no such offer");
      log.offer.waiting = log.offer.waiting.filter((player) => player !== file.player); // the order of seats is the module's
      if (!log.offer.waiting.length) carryOut(log, file.seq);
    },
    decline: (log) => {
      if (!log.offer) refuse("refused by rule", "there is no offer");
      log.offer = null;
    },
  };

  function offer(log, file, waiting, what) {
    if (log.offer) refuse("refused by rule", "one offer between two turn files");
    log.offer = { id: documentId(file), waiting, ...what };
  }

  /** Who may sign a `seat` file for another: as the charter says of lost keys, or a ruling on a late file. */
  const mayReplace = (log, file) => pbem.substitute(log, file.seat.player, file.seq) || log.charter.lost_keys;

  function checkSeat(log, file, from) {
    const { player: signer, seat } = file;
    const { player } = seat;
    const by = mayReplace(log, file);
    if (!plays(log, player) || player === umpireOf(log)) refuse("refused by rule", `${player} holds no seat`);
    const may = by === "umpire" ? signer === umpireOf(log) : by === "others" && sideOf(log, signer) === sideOf(log, player);
    if (signer !== player && !may) refuse("wrong key", `only ${player} himself can change his key`);
    if (seat.from !== from) refuse("refused by rule", `the new key holds from file ${from}`);
    pbem.keyBytes(seat.key);
    checkEscrow(log, seat);
    checkFresh(log, "key", seat.key);
    checkFresh(log, "tip", seat.chain);
    checkFresh(log, "root", seat.draws);
  }

  /** What holds once all have accepted. */
  function carryOut(log, seq) {
    const { to, seat, draw } = log.offer;
    log.offer = null;
    if (seat) holdFrom(log, seat, seq + 1);
    if (draw) log.over = true;
    if (to) takeBack(log, to);
  }

  /** The orders of a file and all that followed are void: what they decided, sealed and stated; links, draws and dice stay used. */
  function takeBack(log, to) {
    for (let seq = to; seq < log.files.length; seq++) log.void.add(seq);
    for (const place of [...log.seals.keys()]) if (Number(place.split(":")[0]) >= to) log.seals.delete(place);
    log.decides.delete(to);
    log.claims = { least: log.claimed[to].before, most: log.claimed[to].after };
  }

  // -- commitments, openings, seals ------------------------------------------------------------------------------------------------

  function checkCommits(log, file) {
    if (file.type !== "turn") return; // elsewhere they count for nothing
    for (const { draw, items } of file.commit ?? []) {
      const name = `${file.player} ${draw}`;
      if (log.commits.has(name)) refuse("bad opening", `${file.player} committed to draw ${draw} before`);
      log.commits.set(name, { hashes: items, seq: file.seq });
    }
  }

  /** Note the seals of a file: those of orders first, then those of standing_sealed by kind, then those of the plan. */
  function noteSeals(log, file) {
    const inOrders = (file.orders ?? []).filter((order) => pbem.isMap(order) && typeof order.sealed === "string").map((order) => order.sealed);
    const clauses = pbem.byCodePoint(Object.keys(file.standing_sealed ?? {})).flatMap((kind) => file.standing_sealed[kind]);
    const steps = (file.plan ?? []).flatMap((step) => step.sealed ?? []);
    const hashes = [...inOrders, ...clauses.map((clause) => clause.seal ?? clause), ...steps];
    hashes.forEach((hash, number) => log.seals.set(`${file.seq}:${number}`, { hash, player: file.player }));
  }

  function checkOpening(log, file, { handle, salt, ...content }) {
    const [, word, kind, first, number] = /^(.+):(draw|seal)(0|[1-9]\d*):(0|[1-9]\d*)$/.exec(handle) ?? [];
    const bad = (says) => refuse("bad opening", `${handle}: ${says}`);
    const owner = word && pbem.ownerOf(log, word);
    if (owner !== file.player) bad("it is not his to open");
    const [j, i] = [Number(first), Number(number)];
    if (kind === "draw") {
      const promised = log.commits.get(`${owner} ${j}`);
      if (!promised || !("item" in content)) bad("no commitment stands in the log");
      const right = pbem.commitment(log.game, keyAt(log, owner, promised.seq), j, i, salt, content.item);
      if (right !== promised.hashes[i]) bad("it is not what was committed to");
    } else {
      const promised = log.seals.get(`${j}:${i}`);
      if (promised?.player !== owner || !("order" in content)) bad("no seal stands in the log");
      if (pbem.seal(log.game, keyAt(log, owner, j), j, i, salt, content.order) !== promised.hash) bad("it is not what was sealed");
    }
  }

  function checkClaim(log, number) {
    const { least, most } = log.claims;
    if (number < least || number > most) refuse("bad opening", `claim ${number} is the game's claim ${least}`);
    log.claims = { least: number + 1, most: number + 1 };
  }

  function checkOpenings(log, file) {
    const before = log.claims.least;
    checkCommits(log, file);
    noteSeals(log, file);
    for (const opening of file.open ?? []) {
      if ("claim" in opening) checkClaim(log, opening.claim);
      else checkOpening(log, file, opening);
    }
    log.claimed[file.seq] = { before, after: log.claims.most };
  }

  // -- dice --------------------------------------------------------------------------------------------------------------------------

  /**
   * The files whose seed the dice of the next file may come from: the newest with orders, or, where the file after it is
   * of the same side, one of the later ones; which of these was the newest when dice were asked for, the rules know.
   */
  function sources(log, next) {
    const newest = Math.max(1, log.seed.k, ...log.decides);
    const behind = (k) => log.files.find((file, at) => at > k && file.link) ?? next;
    const turned = (k) => log.files[k].link && (log.heals.get(k)?.length || sideOf(log, behind(k).player) !== sideOf(log, log.files[k].player));
    if (newest >= log.files.length) return [];
    if (turned(newest)) return [newest];
    const later = Array.from({ length: log.files.length - 1 - newest }, (_, at) => log.files.length - 1 - at);
    return later.filter(turned);
  }

  /** Recompute every roll that the file records; it counts on where an earlier file used the same seed. */
  async function checkDice(log, file) {
    if (!file.dice?.length) return;
    let first = null;
    for (const k of sources(log, file)) {
      const shown = log.files.find((other, at) => at > k && other.link) ?? file;
      for (const link of [shown.link, ...(log.heals.get(k) ?? [])]) {
        const fault = await faultOf(() => rollAgain(log, file, k, link, link !== shown.link));
        if (!fault) return;
        first ??= fault;
      }
    }
    throw first ?? new pbem.Fault("bad dice", "dice that are turned by the side which gave the orders");
  }

  /** `healed`: a heal has turned dice with this link before, as many as the rules asked for. */
  function rollAgain(log, file, k, link, healed) {
    const seed = seedOf(link, log.game, k, log.ids[k]);
    let rolls = log.seed.k === k ? log.seed.rolls : healed ? file.dice[0].roll : 0;
    for (const { roll: index, label, sides, dice } of file.dice) {
      if (index !== rolls) refuse("bad dice", `roll ${rolls} of seed ${k} is recorded as roll ${index}`);
      const right = pbem.roll(seed, index, label, dice.length, sides);
      if (canonical(right) !== canonical(dice)) {
        refuse("bad dice", `roll ${index}, ${label}: the file says ${dice.join(" ")}, the seed gives ${right.join(" ")}`);
      }
      rolls += 1;
    }
    log.seed = { k, rolls };
  }

  // -- the log -------------------------------------------------------------------------------------------------------------------------

  /** What is checked of every file, in the order in which a fault is named (SPEC 12); after a fault that ends it nothing more. */
  const CHECKS = [
    { check: "form", judge: (log, file) => pbem.checkFileShape(file), ends: true },
    { check: "game", judge: pbem.checkGame, ends: true },
    { check: "author", judge: checkSigner, ends: true },
    { check: "signature", judge: checkSignature },
    { check: "place", judge: checkPlace, ends: true },
    { check: "hash chain", judge: checkPrevious },
    { check: "author", judge: checkAuthor },
    { check: "umpire", judge: checkStandIn },
    { check: "replacement", judge: checkReplacement },
    { check: "link", judge: checkLink },
    { check: "slips", judge: pbem.takeRulings },
    { check: "offer", judge: (log, file) => OFFERS[file.type](log, file) },
    { check: "openings", judge: checkOpenings },
    { check: "slips", judge: pbem.takeSlips },
    { check: "dice", judge: checkDice },
  ];

  /** Judge the next file and take it into the log. Gives {id, faults: [{check, outcome, says}]}; without faults it holds. */
  async function judgeFile(log, file, own = false) {
    const faults = [];
    for (const { check, judge, ends } of CHECKS) {
      const fault = await faultOf(() => judge(log, file, own));
      if (!fault) continue;
      faults.push({ check, outcome: fault.outcome, says: fault.message });
      if (ends) return { id: "", faults };
    }
    log.ids.push(documentId(file));
    log.files.push(file);
    log.claimed[file.seq] ??= { before: log.claims.least, after: log.claims.most };
    if (file.orders?.length) {
      log.decides.add(file.seq);
      log.seed = { k: file.seq, rolls: 0 };
    }
    return { id: log.ids.at(-1), faults };
  }

  /** Judge a whole game; `tell(seq, verdict)` hears of every file as soon as it is judged. */
  async function judgeGame(charter, files, tell = () => {}, own = false) {
    const first = { id: "", faults: [] };
    const fault = await faultOf(async () => (first.id = await pbem.checkCharter(charter, own)));
    if (fault) first.faults.push({ check: "charter", outcome: fault.outcome, says: fault.message });
    await tell(0, first);
    const verdicts = [first];
    if (fault && fault.outcome !== "bad signature") return { verdicts, log: null };
    let log = pbem.startLog(charter);
    for (const [at, file] of files.entries()) {
      let verdict;
      if (file?.type === "heal") ({ verdict, log } = await pbem.takeHeal(log, file, own));
      else verdict = file?.type === "void" ? pbem.judgeVoid(log, file, files.slice(at + 1)) : await judgeFile(log, file, own);
      verdicts.push(verdict);
      await tell(verdicts.length - 1, verdict);
    }
    return { verdicts, log };
  }

  // -- audit -------------------------------------------------------------------------------------------------------------------------

  /** Refuse audit slips that leave a draw or a seal closed, or show a key or content that was not promised. */
  async function checkAudit(log, slips, own = false) {
    const lie = (says) => refuse("audit: lie proved", says);
    const shown = { keys: new Map(), seals: new Map() };
    for (const slip of slips) {
      await pbem.checkSlipIn(log, slip, log.files.length, own);
      slip.keys.forEach((key) => shown.keys.set(`${slip.player} ${key.draw}`, key));
      slip.open.forEach((opening) => shown.seals.set(opening.handle.replace(/^.*:seal/, ""), opening));
    }
    for (const name of log.commits.keys()) {
      const key = shown.keys.get(name);
      const [player, j] = name.split(" ");
      if (!key) lie(`${player} does not show the key of draw ${j}`);
      if (!log.roots[player].includes(pbem.merkleRoot(log.charter.nonce, key.draw, key.key, key.path))) lie(`${player}: key ${j} is not in his tree`);
    }
    for (const [place, { hash, player }] of log.seals) {
      const opening = shown.seals.get(place);
      const [seq, number] = place.split(":").map(Number);
      if (!opening && log.mayBeVoid.has(place)) continue;
      if (!opening) lie(`${player} leaves seal ${number} of file ${seq} closed`);
      if (pbem.seal(log.game, keyAt(log, player, seq), seq, number, opening.salt, opening.order) !== hash) {
        lie(`${player} opens seal ${number} of file ${seq} otherwise than sealed`);
      }
    }
  }

  Object.assign(pbem, { takeOver, judgeFile, judgeGame, checkAudit });
})();
