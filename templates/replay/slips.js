// Slips in files (SPEC 9): who signed them, proofs, refusals, questions after a restore, claims and rulings on late files.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { refuse, faultOf, documentId, keyAt, plays, playersInOrder, sideOf, umpireOf } = pbem;
  const ABOUT_A_PLACE = ["overdue", "ruling"];

  /** Judge a slip; `seq`: of the file that holds it, or of the next one. An audit may be signed with any key of the player's. */
  async function checkSlip(log, slip, seq, own = false) {
    pbem.checkSlipShape(slip);
    pbem.checkGame(log, slip);
    if (!plays(log, slip.player)) refuse("wrong key", `a slip of ${slip.player}, who does not play`);
    const place = ABOUT_A_PLACE.includes(slip.slip) ? slip.place : seq;
    await pbem.checkKey(log, slip, slip.player, place, own, slip.slip === "audit");
    await CHECKS[slip.slip]?.(log, slip, seq, own);
  }

  // -- proofs and refusals -------------------------------------------------------------------------------------------------------

  async function checkProof(log, { files: [first, second] }, seq, own) {
    pbem.checkFileShape(first);
    if (first.game !== log.game) refuse("foreign game", "these files are not of this game");
    const signer = first.signed_by ?? first.player;
    if (!plays(log, signer)) refuse("wrong key", `${signer} does not play`);
    await pbem.checkEquivocation(first, second, keyAt(log, signer, first.seq), own);
    const pairs = [[first, second], [second, first]];
    for (const [one, other] of pairs) {
      if (await refusalIn(log, one, documentId(other), own)) refuse("diverged", "one file replaces the other, which was refused");
    }
    if (takesTheLog(first, second) && log.ids[first.seq - 1] !== first.prev) {
      refuse("waiting", `one of them may stand against the other, and file ${first.seq - 1} is not here`);
    }
    for (const [one, other] of pairs) {
      if (await stands(log, one, other, own)) refuse("diverged", "one file stands against the other, after a restore");
    }
  }

  /** Whether two files may be no proof by what one of them brings: a refusal of the other, or a question after a loss. */
  function takesTheLog(first, second) {
    const [asked, others] = [first, second].map((file) => new Set(questions(file).map(documentId)));
    return Boolean(first.replaces || second.replaces) || asked.size !== others.size || [...asked].some((id) => !others.has(id));
  }

  /** Whether a file that replaces one brings a refusal, signed by somebody else, of that or of another one of its place. */
  async function refusalIn(log, file, refused, own) {
    for (const slip of file.replaces ? file.slips ?? [] : []) {
      const about = slip.slip === "refusal" && slip.file === refused && slip.head === file.prev && slip.player !== file.player;
      if (about && !(await faultOf(() => checkSlip(log, slip, file.seq, own)))) return true;
    }
    return false;
  }

  // -- after a restore -------------------------------------------------------------------------------------------------------------

  /** The slip by which a file's author says that he has restored a backup. */
  const restoredBy = (file) => (file.slips ?? []).find((slip) => slip.slip === "restored" && slip.player === file.player);

  /** What a file's own author asks in it after a loss. */
  const questions = (file) =>
    (file.slips ?? []).filter((slip) => slip.slip === "restored" && slip.player === file.player && !Object.hasOwn(slip, "word"));

  /** Whether a file stands against another of its author at that place: all others have signed that they held none. */
  async function stands(log, file, other, own) {
    if (log.charter.pbem < 2) return false;
    const both = new Set(questions(other).map(documentId));
    const asked = questions(file).filter((question) => !both.has(documentId(question)));
    for (const question of asked) if (await settledBy(log, file, question, own)) return true;
    return false;
  }

  /** All others have answered this question, and the file is its author's first behind the newest one that they, or he then, named. */
  async function settledBy(log, file, question, own) {
    const heads = new Map();
    for (const slip of file.slips) {
      const answers = slip.slip === "head" && slip.answers === documentId(question) && slip.player !== file.player;
      if (!answers || heads.has(slip.player)) continue;
      if (!(await faultOf(() => checkSlip(log, slip, file.seq, own)))) heads.set(slip.player, slip.head);
    }
    const asked = Object.keys(log.charter.players).filter((player) => player !== file.player && !log.resigned.has(player));
    if (!heads.size || !asked.every((player) => heads.has(player))) return false;
    const places = [question.head, ...heads.values()].map((head) => log.ids.slice(0, file.seq).indexOf(head));
    if (places.includes(-1)) return false;
    return !log.files.slice(Math.max(...places) + 1, file.seq).some((before) => before.player === file.player && !before.signed_by);
  }

  // -- late files --------------------------------------------------------------------------------------------------------------------

  function checkClaim(log, { place, due, player, head }, seq) {
    if (!log.charter.overdue) refuse("refused by rule", "the charter names no deadline");
    if (!plays(log, due) || sideOf(log, due) === sideOf(log, player)) refuse("refused by rule", "only a player of another side claims a file");
    if (place > seq + 1) refuse("waiting", `file ${seq + 1} is missing`);
    if (place <= seq && log.ids[place - 1] !== head) refuse("bad chain", "it claims a file behind another one");
  }

  async function checkRuling(log, { place, claim, player, then }, seq, own) {
    if (claim.slip !== "overdue") refuse("unreadable", "a ruling holds the claim that it is about");
    await checkSlip(log, claim, seq, own);
    const [agreed, umpire] = [log.charter.overdue, umpireOf(log)];
    if (claim.place !== place || ![agreed.then, "nothing"].includes(then)) refuse("refused by rule", "another consequence than the charter's");
    if (umpire && (player !== umpire || claim.due === umpire || (then !== "nothing" && claim.player !== umpire))) {
      refuse("refused by rule", "the umpire rules, after a question of his own");
    }
    if (!umpire && (sideOf(log, player) !== sideOf(log, claim.due) || then === "nothing")) {
      refuse("refused by rule", "without an umpire only the late player's side confirms what follows");
    }
  }

  /** A player resigns all his seats and nobody else's. */
  function checkResignation(log, { player, seats }) {
    const held = Object.keys(log.charter.seats).filter((seat) => log.charter.seats[seat].player === player);
    if (!held.length || [...seats].sort().join() !== held.sort().join()) {
      refuse("wrong key", `the resignation is of other seats than ${player}'s`);
    }
  }

  const CHECKS = { equivocation: checkProof, resignation: checkResignation, overdue: checkClaim, ruling: checkRuling };

  /** The rulings that hold: not lifted; without an umpire confirmed by the late player, or by all others of his side. */
  function holding(log, rulings) {
    const same = (a, b) => a.place === b.place && a.head === b.head;
    const lifted = (ruled) => log.rulings.some((other) => same(ruled, other) && other.then === "nothing");
    const confirmed = ({ due, ...ruled }) => {
      if (umpireOf(log)) return true;
      const signers = new Set(rulings.filter((other) => same(ruled, other)).map((other) => other.by));
      const allies = playersInOrder(log).filter((player) => player !== due && sideOf(log, player) === sideOf(log, due));
      return signers.has(due) || (allies.length > 0 && allies.every((player) => signers.has(player)));
    };
    const held = new Map();
    for (const ruled of rulings) {
      if (log.ids[ruled.place - 1] === ruled.head && !lifted(ruled) && confirmed(ruled) && !held.has(ruled.place)) held.set(ruled.place, ruled);
    }
    return [...held.values()];
  }

  /** Who may sign a `seat` file for a late player at this place, as `lost_keys` names them. */
  function substitute(log, player, seq) {
    const ruled = holding(log, log.rulings).some(({ then, due, place }) => then === "substitute" && due === player && place === seq);
    return ruled ? (umpireOf(log) ? "umpire" : "others") : "";
  }

  // -- what slips in files change --------------------------------------------------------------------------------------------------

  const EFFECTS = {
    resignation: (log, { player }) => {
      log.resigned.add(player);
      const side = playersInOrder(log).filter((other) => sideOf(log, other) === sideOf(log, player));
      if (side.every((other) => log.resigned.has(other))) log.over = true;
    },
    ruling: (log, { place, claim: { head, due }, player: by, then }) => {
      log.rulings.push({ place, head, due, by, then });
    },
  };

  function take(log, slip) {
    const id = documentId(slip);
    if (!log.slips.has(id)) EFFECTS[slip.slip]?.(log, slip);
    log.slips.add(id);
  }

  /** The rulings that a file brings count before it: a substitute's `seat` file rests on one. */
  async function takeRulings(log, file, own) {
    for (const slip of file.slips ?? []) {
      if (slip.slip !== "ruling") continue;
      await checkSlip(log, slip, file.seq, own);
      take(log, slip);
    }
  }

  async function takeSlips(log, file, own) {
    for (const slip of file.slips ?? []) {
      await checkSlip(log, slip, file.seq, own);
      if (!log.ids.includes(slip.head)) refuse("bad chain", "a slip names a head that is not in the log");
      take(log, slip);
    }
  }

  Object.assign(pbem, { checkProof, checkSlipIn: checkSlip, refusalIn, restoredBy, stands, substitute, takeRulings, takeSlips });
})();
