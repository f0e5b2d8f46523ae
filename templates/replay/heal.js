// Heals (SPEC 9c): all go on from one version of a log that has parted; who may choose it, who signs, which links are burnt.
// Which dice are owed, and whether orders are asked again, only the rules of a game know: both ways of going on are let pass.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { refuse, faultOf, documentId, signedText, canonical, linkBefore, keyAt, plays, sideOf, umpireOf, isMap } = pbem;
  const FARTHEST = 1 << 17;
  const isPlace = (document) => document.type === "heal" || document.type === "void";
  const signerOf = (file) => file.signed_by ?? file.player;

  /** A place of this player's: by his own file, the umpire's for him, or a `seat` file that gives his seat a new key. */
  const fills = (file, player) => file.player === player || (file.type === "seat" && file.seat.player === player);

  // -- what it holds ------------------------------------------------------------------------------------------------------------

  /** Every file of the versions, each once, by its id. */
  const filesOf = (heal) => new Map(heal.versions.flat().map((file) => [documentId(file), file]));

  /** The files behind the parting that stand; none where all go back to it. */
  const keptOf = (heal) =>
    heal.versions.find((version) => version.at(-1).seq === heal.to && documentId(version.at(-1)) === heal.prev) ?? [];

  /** Shape and versions, as far as the heal itself tells. */
  function checkForm(heal) {
    pbem.checkHealShape(heal);
    for (const file of filesOf(heal).values()) {
      pbem.checkFileShape(file);
      if (file.game !== heal.game || file.pbem !== heal.pbem) refuse("foreign game", `file ${file.seq} of a version is of another game`);
    }
    const [first, bad] = [heal.forked.seq, (says) => refuse("bad chain", says)];
    const chains = heal.versions.map((version) => version.map(documentId));
    heal.versions.forEach((version, v) =>
      version.forEach((file, n) => {
        const follows = file.seq === first + n && (n === 0 || file.prev === chains[v][n - 1]);
        if (!follows) bad("the files of a version do not follow one another from the parting on");
      }),
    );
    const last = chains.map((ids) => ids.at(-1));
    const inner = new Set(chains.flatMap((ids) => ids.slice(0, -1)));
    const starts = new Set(heal.versions.map((version) => version[0].prev));
    if (starts.size > 1 || new Set(last).size < last.length || last.some((id) => inner.has(id))) bad("one version is the beginning of another");
    const owners = heal.versions.every((version) => fills(version[0], heal.forked.player));
    if (new Set(chains.map((ids) => ids[0])).size < 2 || !owners) bad("the versions do not part at the place that is named");
    const newest = Math.max(...heal.versions.map((version) => version.at(-1).seq));
    if (heal.seq !== newest + 1) bad(`its place is ${newest + 1}, behind every version`);
    const back = heal.to === first - 1 && heal.prev === heal.versions[0][0].prev;
    if (!back && !keptOf(heal).length) bad("it keeps none of its versions");
  }

  // -- signatures -----------------------------------------------------------------------------------------------------------------

  const isGood = async (key, text, signature, own) => !(await faultOf(() => pbem.checkSignature(key, text, signature, own)));

  /** For whom the umpire has signed. */
  async function checkSignatures(log, heal, own) {
    const [umpire, silent] = [umpireOf(log), []];
    for (const [player, signature] of Object.entries(heal.signatures ?? {})) {
      if (!plays(log, player)) refuse("bad signature", `${player} has signed and does not play`);
      if (await isGood(keyAt(log, player, heal.seq), signedText(heal), signature, own)) continue;
      const { signatures: _, ...rest } = heal;
      const said = canonical({ ...rest, silent: player });
      const byUmpire = umpire && player !== umpire && (await isGood(keyAt(log, umpire, heal.seq), said, signature, own));
      if (!byUmpire) refuse("bad signature", `the signature of ${player} does not fit`);
      silent.push(player);
    }
    return silent;
  }

  async function checkFiles(log, heal, own) {
    const files = [...filesOf(heal).values()];
    const keys = Object.fromEntries(Object.entries(log.keys).map(([player, held]) => [player, held.map(({ key }) => key)]));
    for (const { type, seat } of files) if (type === "seat" && keys[seat.player]) keys[seat.player].push(seat.key);
    for (const file of files) {
      if (!plays(log, file.player) || (file.signed_by && file.signed_by !== umpireOf(log))) refuse("wrong key", "a file of a version is by a stranger");
      const good = await Promise.all(keys[signerOf(file)].map((key) => isGood(key, signedText(file), file.signature, own)));
      if (!good.includes(true)) refuse("bad signature", `file ${file.seq} of a version is not signed by ${signerOf(file)}`);
    }
  }

  // -- who chooses ------------------------------------------------------------------------------------------------------------------

  async function isFork(log, first, second, own) {
    const proof = await faultOf(() => pbem.checkProof(log, { files: [first, second] }, first.seq, own));
    return !proof || proof.outcome === "waiting"; // what follows a file of a version takes a log that holds it
  }

  /** {forked: sides, chooser, allowed: ids of the newest files of versions}. */
  async function choiceOf(log, heal, own) {
    const [files, forked] = [[...filesOf(heal).values()], new Set()];
    for (const [n, one] of files.entries()) {
      for (const two of files.slice(n + 1)) {
        const same = one.prev === two.prev && one.seq === two.seq && one.player === two.player && signerOf(one) === signerOf(two);
        if (same && (await isFork(log, one, two, own))) forked.add(sideOf(log, signerOf(one)));
      }
    }
    const idOf = (version) => documentId(version.at(-1));
    if (!forked.size) return ofCrossed(log, heal, idOf);
    const others = [...new Set(Object.values(log.charter.seats).map((seat) => seat.side))].filter((side) => !forked.has(side));
    const theirs = files.filter((file) => !forked.has(sideOf(log, signerOf(file)))).map(documentId);
    const whole = heal.versions.filter((version) => theirs.every((id) => version.map(documentId).includes(id)));
    const chooser = others.length === 1 ? others[0] : "all";
    return { forked, chooser, allowed: (whole.length ? whole : heal.versions).map(idOf) };
  }

  /** The files with which the versions begin, and the player whose own one of them is, if the other one is signed for him. */
  function crossedIn({ versions }) {
    const firsts = [...new Map(versions.map(([file]) => [documentId(file), file])).values()];
    if (firsts.length !== 2) return {};
    for (const [own, other] of [firsts, [...firsts].reverse()]) {
      const forHim = fills(other, own.player) && (other.player !== own.player || (other.signed_by && other.link === own.link));
      if (!own.signed_by && forHim) return { own, other, player: own.player };
    }
    return {};
  }

  /** A player's own file against another's for him. One link: the file that somebody else has followed, else his own. A `seat`
   * file, whose dice may differ: his own where the other side has followed that alone, else the other one. */
  function ofCrossed(log, heal, idOf) {
    const { own, other, player } = crossedIn(heal);
    if (!own || player !== heal.forked.player) refuse("refused by rule", `nobody has signed two files for place ${heal.forked.seq}`);
    const [umpire, seat, side] = [umpireOf(log), other.player !== player, sideOf(log, player)];
    const follows = (file) => {
      const by = signerOf(file);
      return by !== player && by !== umpire && !(seat && sideOf(log, by) === side);
    };
    const behind = (version) => version.slice(1).some(follows);
    const stands = (version) => {
      const isOwn = documentId(version[0]) === documentId(own);
      const there = heal.versions.some((one) => documentId(one[0]) !== documentId(version[0]) && behind(one));
      if (seat) return isOwn ? behind(version) && !there : !there || behind(version);
      return behind(version) || (isOwn && !there);
    };
    const allowed = heal.versions.filter(stands).map(idOf);
    return { forked: new Set([side]), chooser: umpire ? "umpire" : "all", allowed, fixed: true };
  }

  function checkChoice(heal, { chooser, allowed, fixed }) {
    const [back, by] = [!keptOf(heal).length, heal.chosen_by];
    const rule = (says) => refuse("refused by rule", says);
    if (back && (by !== "all" || fixed)) rule("back to the last common file: all must choose that");
    if (!back && by !== chooser) rule(`${chooser} chooses between these versions`);
    if (!back && !allowed.includes(heal.prev)) rule("another version holds every file of those who did not fork");
  }

  function checkSigners(log, heal, silent, { chooser, allowed }) {
    for (const player of silent) {
      if (log.charter.overdue?.then !== "stand-in") refuse("refused by rule", "the umpire signs for nobody here");
      const chooses = heal.chosen_by === "all" || (allowed.length > 1 && sideOf(log, player) === chooser);
      if (chooses) refuse("refused by rule", `${player} has to choose himself`);
    }
    const lost = crossedIn(heal).player;
    const all = Object.keys(log.charter.players).filter((player) => !log.resigned.has(player) && player !== lost);
    const wanted = heal.chosen_by === "umpire" ? [umpireOf(log)] : all;
    const missing = wanted.filter((player) => !Object.hasOwn(heal.signatures ?? {}, player));
    if (missing.length) refuse("waiting", `not signed yet by ${missing.join(", ")}`);
  }

  // -- links --------------------------------------------------------------------------------------------------------------------------

  /** player -> how far behind the links shown last, on his chain and on his next one, the deepest link of a version is, and which. */
  function shownIn(log, heal) {
    const files = [...filesOf(heal).values()];
    const known = new Set([...log.known.tip, ...log.files.map((file) => file.link).filter(Boolean)]);
    for (const { next_chain: renewal, seat } of files) [renewal?.tip, seat?.chain].filter(Boolean).forEach((tip) => known.add(tip));
    if (log.offer?.seat) known.add(log.offer.seat.chain);
    const found = new Map();
    const placeOf = (link) => {
      const passed = [];
      let value = link;
      while (!known.has(value) && !found.has(value)) {
        if (passed.length > FARTHEST) refuse("bad chain", "a link of a version is on nobody's chain");
        passed.push(value);
        value = linkBefore(log.charter.nonce, value);
      }
      const [anchor, steps] = found.get(value) ?? [value, 0];
      passed.reverse().forEach((one, n) => found.set(one, [anchor, steps + n + 1]));
      return [anchor, steps + passed.length];
    };
    const shown = Object.fromEntries(Object.keys(log.chains).map((player) => [player, { behind: 0, link: "", next: 0, offered: false }]));
    for (const { player, link } of files) {
      const [anchor, steps] = placeOf(link);
      const most = shown[player];
      if (anchor === log.chains[player].last && steps > most.behind) Object.assign(most, { behind: steps, link });
      if (anchor === log.chains[player].next?.tip) most.next = Math.max(most.next, steps);
      if (steps && anchor === log.offer?.seat?.chain) most.offered = true;
    }
    return shown;
  }

  function linkUp(log, link, steps) {
    let value = link;
    for (let step = 0; step < steps; step++) value = linkBefore(log.charter.nonce, value);
    return value;
  }

  /** Links are burnt. Gives the links that may have turned dice of file `to` at once, and whether its orders may be asked again. */
  function burn(log, shown, forked) {
    const turning = [];
    let again = false;
    for (const [player, { behind, link, next, offered }] of Object.entries(shown)) {
      const chain = log.chains[player];
      const extra = behind - chain.skip - 1;
      if (!forked.has(sideOf(log, player)) && chain.again?.some((one) => behind > one.skip)) {
        again = true; // what is due since an earlier heal is shown: it is due no more
        chain.again = null;
      }
      if (extra >= 0) {
        if (forked.has(sideOf(log, player))) {
          turning.push(linkUp(log, link, extra));
          const due = (chain.again ?? []).map((one) => ({ ...one, later: behind - one.skip - 1 })); // since earlier heals
          chain.again = [...due, { skip: chain.skip, left: chain.left, later: extra }];
        } else again = true;
        chain.left -= behind - chain.skip;
        chain.skip = behind;
      }
      if (chain.next) chain.next.skip = Math.max(chain.next.skip ?? 0, next);
      if (offered) log.offer = null;
    }
    return { turning, again };
  }

  // -- into the log --------------------------------------------------------------------------------------------------------------------

  /** The log behind what the heal keeps: this one where it stands there, else played anew from the charter. */
  async function logBehind(log, heal, own) {
    const place = heal.forked.seq - 1;
    if (log.ids[place] !== heal.versions[0][0].prev) refuse("waiting", `the versions part behind a file ${place} that is not here`);
    if (log.ids[heal.to] === heal.prev && log.files.slice(heal.to + 1).every((file) => file.type === "void")) {
      log.ids.length = log.files.length = heal.to + 1;
      return log;
    }
    const { verdicts, log: fresh } = await pbem.judgeGame(log.charter, [...log.files.slice(1, place + 1), ...keptOf(heal)], () => {}, own);
    const fault = verdicts.flatMap((verdict) => verdict.faults)[0];
    if (fault) refuse(fault.outcome, `the version kept does not hold: ${fault.says}`);
    return fresh;
  }

  function addVoid(log, seq) {
    log.ids.push("");
    log.files.push({ type: "void", seq });
    log.claimed[seq] = { before: log.claims.least, after: log.claims.most };
  }

  function apply(log, heal, shown, forked) {
    const { turning, again } = burn(log, shown, forked);
    const kept = new Set(keptOf(heal).map(documentId));
    for (const [id, { next_chain: renewal, next_draws: root, seat }] of filesOf(heal)) {
      if (kept.has(id)) continue;
      log.gone.add(id);
      [renewal?.tip, seat?.chain].filter(Boolean).forEach((tip) => log.known.tip.add(tip));
      [root, seat?.draws].filter(Boolean).forEach((value) => log.known.root.add(value));
    }
    for (let seq = heal.to + 1; seq < heal.seq; seq++) addVoid(log, seq);
    log.ids.push(documentId(heal));
    log.files.push(heal);
    log.heals.set(heal.to, turning);
    if (again) {
      const decided = Math.max(0, ...[...log.decides].filter((seq) => seq <= heal.to));
      log.claims.least = log.claimed[decided].before;
      for (const at of log.seals.keys()) if (Number(at.split(":")[0]) >= decided) log.mayBeVoid.add(at);
    }
    log.claimed[heal.seq] = { before: log.claims.least, after: log.claims.most };
  }

  /** Judge a heal and take it into the log. Gives {verdict, log}: with a fault the log is as it was. */
  async function takeHeal(log, heal, own = false) {
    let after = log;
    const [ids, documents] = [[...log.ids], [...log.files]];
    const fault = await faultOf(async () => {
      checkForm(heal);
      pbem.checkGame(log, heal);
      if (!plays(log, heal.forked.player)) refuse("wrong key", `${heal.forked.player} does not play`);
      after = await logBehind(log, heal, own);
      const silent = await checkSignatures(after, heal, own);
      await checkFiles(after, heal, own);
      shownIn(after, heal);
      const choice = await choiceOf(after, heal, own);
      checkChoice(heal, choice);
      checkSigners(after, heal, silent, choice);
      for (const player of Object.keys(after.chains)) pbem.takeOver(after, player);
      apply(after, heal, shownIn(after, heal), choice.forked);
    });
    if (fault) Object.assign(log, { ids, files: documents });
    const faults = fault ? [{ check: "heal", outcome: fault.outcome, says: fault.message }] : [];
    return { verdict: { id: isMap(heal) && !fault ? documentId(heal) : "", faults }, log: fault ? log : after };
  }

  /** A void place stands only before a heal that says so. */
  function judgeVoid(log, place, later) {
    const covered = later.some((file) => file.type === "heal" && file.to < place.seq && place.seq < file.seq);
    if (!covered || place.seq !== log.ids.length) {
      return { id: "", faults: [{ check: "place", outcome: "unreadable", says: `nothing stands at place ${log.ids.length}` }] };
    }
    addVoid(log, place.seq);
    return { id: "", faults: [] };
  }

  Object.assign(pbem, { isPlace, checkHealForm: checkForm, takeHeal, judgeVoid });
})();
