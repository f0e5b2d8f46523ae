// The shapes of charter, file and slip with their limits (SPEC 3, 5, 9), what a charter must be, what two files prove.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { Fault, checkSignature, documentId, isMap, keyBytes, signedText, unbase64 } = pbem;
  const MILLION = 1000000;
  const unreadable = (says) => {
    throw new Fault("unreadable", says);
  };

  // -- a shape throws when a value is not of it --------------------------------------------------------------------------------

  const shape = (says, test) => (value, where) => {
    if (!test(value)) unreadable(`${where}: ${says}`);
  };
  const any = () => {};
  const map = shape("a mapping is expected", isMap);
  const text = (most) => shape(`a text of at most ${most} characters is expected`, (v) => typeof v === "string" && [...v].length <= most);
  const whole = (low, high = MILLION) =>
    shape(`a whole number from ${low} to ${high} is expected`, (v) => Number.isSafeInteger(v) && v >= low && v <= high);
  const exactly = (wanted) => shape(`${wanted} is expected`, (v) => v === wanted);
  const among = (...words) => shape(`one of ${words.join(", ")} is expected`, (v) => words.includes(v));
  const like = (says, pattern) => shape(`${says} is expected`, (v) => typeof v === "string" && pattern.test(v));
  const bytes = (count) => shape(`${count} bytes in base64 are expected`, (v) => unbase64(v)?.length === count);
  const hash = like("32 bytes in lower-case hex", /^[0-9a-f]{64}$/);
  const name = shape("a name is expected", pbem.isName);
  const plainName = shape("a name in small letters is expected", pbem.isPlainName);
  const orNull = (inner) => (value, where) => value === null || inner(value, where);
  const list = (inner, most = 10000, least = 0) => (value, where) => {
    if (!Array.isArray(value) || value.length > most || value.length < least) unreadable(`${where}: a list of at most ${most} is expected`);
    value.forEach((item, i) => inner(item, `${where}[${i}]`));
  };
  const mapOf = (keyShape, inner) => (value, where) => {
    map(value, where);
    for (const [key, item] of Object.entries(value)) {
      keyShape(key, `${where}: the key ${key}`);
      inner(item, `${where}.${key}`);
    }
  };
  /** A mapping with these keys; a key that ends in "?" may be left out. */
  const record = (fields) => {
    const known = new Map(Object.entries(fields).map(([key, inner]) => [key.replace(/\?$/, ""), { inner, needed: !key.endsWith("?") }]));
    return (value, where) => {
      map(value, where);
      for (const [key, { needed }] of known) if (needed && !Object.hasOwn(value, key)) unreadable(`${where}: ${key} is missing`);
      for (const [key, item] of Object.entries(value)) {
        if (!known.has(key)) unreadable(`${where}: unknown key ${JSON.stringify(key)}`);
        known.get(key).inner(item, `${where}.${key}`);
      }
    };
  };
  const either = (choose) => (value, where) => choose(value)(value, where);
  /** A mapping of the kind that it has the key of; the last kind where it has none. */
  const byKey = (kinds) => either((v) => kinds[Object.keys(kinds).find((key) => isMap(v) && Object.hasOwn(v, key)) ?? Object.keys(kinds).at(-1)]);

  // -- charters, files, slips ----------------------------------------------------------------------------------------------------

  const version = shape("version 1 or 2 of the protocol is expected", (v) => v === 1 || v === 2);
  const note = (lines) => list(text(500), lines);
  const chainLength = whole(64, 65536);
  const holder = { key: text(120), chain: hash, chain_length: chainLength, draws: hash };
  const consequence = among("nothing", "stand-in", "substitute", "loss");
  const slot = like("a time of the day", /^([01]\d|2[0-3]):[0-5]\d$/);
  const span = like("a number of hours or days", /^(0|[1-9]\d{0,3})[hd]$/);
  const stamp = like("a time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

  const charterKeys = {
    pbem: version,
    type: exactly("charter"),
    system: text(64),
    rules: text(64),
    rules_version: whole(1),
    nonce: hash,
    scenario: record({ name: text(64), hash }),
    options: map,
    seats: mapOf(plainName, record({ player: orNull(name), side: plainName })),
    players: mapOf(name, record(holder)),
    "umpire?": orNull(record({ player: name, role: among("witness", "escrow"), "escrow_key?": hash })),
    "escrow?": mapOf(name, bytes(80)),
    "hints?": among("forbidden"),
    "lost_keys?": orNull(among("others", "umpire")),
    "answers?": mapOf(plainName, name),
    "note?": note(50),
    "signatures?": mapOf(name, bytes(64)),
  };
  const CHARTER = {
    1: record({ ...charterKeys, "deadline?": orNull(text(32)) }),
    2: record({ ...charterKeys, "overdue?": orNull(record({ after: span, grace: span, then: consequence })), "pace?": orNull(record({ slots: list(slot, 48, 1) })) }),
  };

  const opened = { handle: text(120), salt: hash };
  const common = {
    pbem: version,
    type: any,
    game: hash,
    seq: whole(1),
    prev: hash,
    "replaces?": orNull(hash),
    player: name,
    "signed_by?": name,
    link: hash,
    "dice?": list(record({ roll: whole(0), label: text(300), sides: whole(2), dice: list(whole(1)) })),
    "commit?": list(record({ draw: whole(0), items: list(hash, 1000) })),
    "open?": list(byKey({ claim: record({ claim: whole(0), value: any }), order: record({ ...opened, order: any }), item: record({ ...opened, item: any }) })),
    "slips?": list(map, 100),
    "next_chain?": orNull(record({ tip: hash, length: chainLength, "escrow?": bytes(80) })),
    "next_draws?": orNull(hash),
    "note?": note(200),
    signature: bytes(64),
  };
  const step = { at: text(64), "seat?": plainName, "later?": whole(1, 64) };
  const open = record({ ...step, do: list(any, 200, 1), "when?": text(1000), "else?": among("ask", "drop") });
  const plan = { 1: {}, 2: { "plan?": list(byKey({ sealed: record({ ...step, sealed: hash }), do: open }), 64) } };
  const seal = { 1: hash, 2: either((v) => (isMap(v) ? record({ seal: hash, scope: text(300) }) : hash)) };
  const FILES = {
    turn: (v) => ({ "orders?": list(any, 2000), "standing?": mapOf(text(64), any), "standing_sealed?": mapOf(text(64), list(seal[v], 8)), ...plan[v] }),
    undo: () => ({ to: whole(1) }),
    offer: () => ({ offer: byKey({ draw: record({ draw: exactly(true) }), rules_version: record({ rules_version: whole(1) }) }) }),
    accept: () => ({ accepts: hash }),
    decline: () => ({}),
    seat: () => ({ seat: record({ player: name, ...holder, from: whole(1), "holder?": text(64), "escrow?": bytes(80) }) }),
  };
  const state = { 1: { "state?": orNull(hash) }, 2: { state: hash } };

  const SLIPS = {
    refusal: { file: hash, outcome: text(64), reason: text(2000) },
    request: { text: text(2000) },
    resignation: { seats: list(plainName, 100) },
    audit: {
      keys: list(record({ draw: whole(0), key: hash, path: list(hash, 10) })),
      open: list(record({ ...opened, order: any })),
    },
    equivocation: { files: list(map, 2, 2) },
    restored: { asks: hash, "word?": text(300) },
    head: { "answers?": hash },
    overdue: { place: whole(1), due: name, since: stamp },
    ruling: { place: whole(1), then: consequence, claim: map },
  };
  const slipFrame = { pbem: version, type: exactly("slip"), slip: any, game: hash, head: hash, player: name, "note?": note(50), signature: bytes(64) };

  const HEAL = record({
    pbem: exactly(2),
    type: exactly("heal"),
    game: hash,
    seq: whole(2),
    prev: hash,
    to: whole(0),
    versions: list(list(map, 1000, 1), 100, 1),
    forked: record({ player: name, seq: whole(1) }),
    chosen_by: plainName,
    "instead?": list(hash, 100, 1),
    "note?": note(50),
    "signatures?": mapOf(name, bytes(64)),
  });

  /** Refuse a value that is no heal; its files are looked at elsewhere. */
  function checkHealShape(heal) {
    map(heal, "heal");
    HEAL(heal, "heal");
    pbem.checkSize(heal);
  }

  /** Refuse a value that is no file of a log. */
  function checkFileShape(file) {
    map(file, "file");
    version(file.pbem, "file.pbem");
    if (!Object.hasOwn(FILES, file.type)) unreadable(`no type of file: ${JSON.stringify(file.type)}`);
    record({ ...common, ...state[file.pbem], ...FILES[file.type](file.pbem) })(file, file.type);
    pbem.checkNames(file.pbem, [file.player, file.signed_by ?? file.player, file.seat?.player ?? file.player]);
    pbem.checkSize(file);
  }

  function checkSlipShape(slip) {
    map(slip, "slip");
    if (!Object.hasOwn(SLIPS, slip.slip)) unreadable(`no kind of slip: ${JSON.stringify(slip.slip)}`);
    record({ ...slipFrame, ...SLIPS[slip.slip] })(slip, "slip");
    pbem.checkNames(slip.pbem, [slip.player]);
  }

  /** Refuse a slip of wrong shape, or not signed by the key. */
  async function checkSlip(slip, key, own = false) {
    checkSlipShape(slip);
    await checkSignature(key, signedText(slip), slip.signature, own);
  }

  /** Refuse two files that do not prove that the key signed two at one place. */
  async function checkEquivocation(first, second, key, own = false) {
    for (const file of [first, second]) {
      checkFileShape(file);
      await checkSignature(key, signedText(file), file.signature, own);
    }
    const same = ["game", "seq", "player", "signed_by"].every((field) => first[field] === second[field]);
    if (!same) unreadable("the two files are not of one game, place and player");
    if (documentId(first) === documentId(second)) unreadable("it is one file twice");
    if (first.prev !== second.prev) throw new Fault("bad chain", "the two files follow different ones: the chains part before them");
  }

  // -- what a charter must be -----------------------------------------------------------------------------------------------------

  function checkSeats({ seats, players, umpire }) {
    const sides = new Set(Object.values(seats).map((seat) => seat.side));
    if (sides.size !== 2) unreadable(`there are ${sides.size} sides, not two`);
    if (umpire && !Object.hasOwn(players, umpire.player)) unreadable("the umpire has no key");
    for (const [seat, { player }] of Object.entries(seats)) {
      if (player !== null && !Object.hasOwn(players, player)) unreadable(`seat ${seat} is held by ${player}, who has no key`);
    }
    for (const [player, { key }] of Object.entries(players)) {
      keyBytes(key);
      const held = new Set(Object.values(seats).filter((s) => s.player === player).map((s) => s.side));
      if (held.size > 1) unreadable(`${player} holds seats of both sides`);
      if (!held.size && umpire?.player !== player) unreadable(`${player} holds no seat`);
      if (held.size && umpire?.player === player) unreadable(`${player} is umpire and plays`);
    }
  }

  function checkUmpire({ players, umpire, escrow = {}, lost_keys: lost, overdue }) {
    const holds = umpire?.role === "escrow";
    const givers = holds ? Object.keys(players).filter((player) => player !== umpire.player) : [];
    if (Object.keys(escrow).sort().join() !== givers.sort().join()) unreadable("every player gives an escrow where the umpire holds it, else nobody");
    if (holds !== Boolean(umpire?.escrow_key)) unreadable("an umpire who holds the escrow has an escrow_key, another one has none");
    if (lost === "umpire" && !umpire) unreadable("lost_keys says umpire, but there is none");
    if (overdue?.then === "stand-in" && !holds) unreadable("a stand-in needs an umpire who holds the escrow");
  }

  /** Slots stand in order, and no wait for one is longer than the deadline. */
  function checkPace({ pace, overdue }) {
    if (!pace) return;
    const minutes = pace.slots.map((text) => 60 * Number(text.slice(0, 2)) + Number(text.slice(3)));
    const waits = minutes.map((minute, i) => (minutes[i + 1] ?? minutes[0] + 1440) - minute);
    if (waits.some((wait) => wait <= 0)) unreadable("the slots are in order of time, each once");
    const hours = overdue ? Number(overdue.after.slice(0, -1)) * (overdue.after.endsWith("d") ? 24 : 1) : Infinity;
    if (Math.max(...waits) > 60 * hours) unreadable("a wait from one slot to the next is longer than the deadline");
  }

  /** Refuse a value that is no charter for a game to begin with; signatures are not looked at. */
  function checkCharterShape(charter) {
    map(charter, "charter");
    version(charter.pbem, "charter.pbem");
    CHARTER[charter.pbem](charter, "charter");
    const { players, seats, answers, signatures } = charter;
    pbem.checkNames(charter.pbem, [...Object.keys(players), ...Object.keys(signatures ?? {})]);
    if (charter.pbem > 1) pbem.checkNamesDiffer(Object.keys(players));
    checkSeats(charter);
    for (const what of ["key", "chain", "draws"]) {
      const values = Object.values(players).map((p) => p[what]);
      if (new Set(values).size !== values.length) unreadable(`two players have the same ${what}`);
    }
    const free = Object.keys(seats).filter((seat) => seats[seat].player === null);
    if (free.length) throw new Fault("waiting", `nobody holds ${free.join(", ")}`);
    for (const [side, player] of Object.entries(answers ?? {})) {
      if (!Object.values(seats).some((s) => s.side === side && s.player === player)) unreadable(`${player} does not play for ${side}`);
    }
    checkUmpire(charter);
    checkPace(charter);
  }

  /** Refuse a charter that is not complete and signed by all; gives its id, the game's. */
  async function checkCharter(charter, own = false) {
    checkCharterShape(charter);
    const signatures = charter.signatures ?? {};
    const stranger = Object.keys(signatures).find((player) => !Object.hasOwn(charter.players, player));
    if (stranger) throw new Fault("bad signature", `${stranger} signed and does not play`);
    const message = signedText(charter);
    for (const [player, { key }] of Object.entries(charter.players)) {
      if (!Object.hasOwn(signatures, player)) throw new Fault("bad signature", `${player} has not signed`);
      await checkSignature(key, message, signatures[player], own);
    }
    return documentId(charter);
  }

  const FILE_TYPES = Object.keys(FILES);
  Object.assign(pbem, { FILE_TYPES, checkCharter, checkCharterShape, checkFileShape, checkHealShape, checkSlip, checkSlipShape, checkEquivocation });
})();
