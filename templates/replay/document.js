// Documents: canonical form and ids (SPEC 1), keys and signatures (SPEC 2), the shapes of charter, file and slip (SPEC 3, 5, 9).
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { Fault, join, hex, sha256, unbase64, u32be, utf8 } = pbem;
  const MOST_LEVELS = 32;
  const MOST_VALUES = 100000;
  const MOST_BYTES = 1 << 20;

  // -- canonical form ---------------------------------------------------------------------------------------------------

  const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  function plainText(text) {
    if (/\p{Surrogate}/u.test(text)) throw new Fault("unreadable", "half a character in a text");
    if (text.normalize("NFC") !== text) throw new Fault("unreadable", "a text is not in normal form C");
    return text;
  }

  /** RFC 8785 JSON of a plain value; JSON.stringify writes texts as the RFC does. */
  function canonical(value) {
    if (value === null || typeof value === "boolean") return String(value);
    if (typeof value === "string") return JSON.stringify(plainText(value));
    if (typeof value === "number") {
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new Fault("unreadable", `${value} is not a whole number that fits`);
      return String(value);
    }
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (!isMap(value)) throw new Fault("unreadable", `no value of a document: ${typeof value}`);
    const keys = Object.keys(value).sort(); // by UTF-16 units
    return `{${keys.map((key) => `${JSON.stringify(plainText(key))}:${canonical(value[key])}`).join(",")}}`;
  }

  /** The document without its top-level `signature` (a charter: `signatures`). */
  function signedPart(document) {
    const { [document.type === "charter" ? "signatures" : "signature"]: _, ...rest } = document;
    return rest;
  }

  const signedText = (document) => canonical(signedPart(document));
  const documentId = (document) => hex(sha256(join("pbem/1 document\n", signedText(document))));

  /** Refuse what is larger than a document may be. */
  function checkSize(document) {
    let values = 0;
    const visit = (value, level) => {
      values += 1;
      if (level > MOST_LEVELS && typeof value === "object" && value !== null) throw new Fault("too large", "more than 32 levels");
      if (values > MOST_VALUES) throw new Fault("too large", "more than 100,000 values");
      if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) visit(inner, level + 1);
    };
    visit(document, 1);
    if (utf8(canonical(document)).length > MOST_BYTES) throw new Fault("too large", "more than 1 MiB");
  }

  // -- keys and signatures ------------------------------------------------------------------------------------------------

  const sshString = (part) => join(u32be(typeof part === "string" ? utf8(part).length : part.length), part);
  const KEY_START = join(sshString("ssh-ed25519"), u32be(32));

  /** The 32 bytes of `ssh-ed25519 BASE64`; refuses everything that is not a sound key in its one spelling. */
  function keyBytes(text) {
    const base64 = /^ssh-ed25519 ([A-Za-z0-9+/=]+)$/.exec(text)?.[1];
    const blob = base64 && !text.includes("\n") ? unbase64(base64) : null;
    if (!blob || blob.length !== KEY_START.length + 32 || !pbem.equal(blob.slice(0, KEY_START.length), KEY_START)) {
      throw new Fault("wrong key", "not an OpenSSH Ed25519 key");
    }
    const key = blob.slice(KEY_START.length);
    if (!pbem.publicPoint(key)) throw new Fault("wrong key", "the key is no point that signs");
    return key;
  }

  /** What is signed: the SSHSIG pre-image of the message, namespace pbem-v1, hash sha512. */
  const preimage = (message) =>
    join("SSHSIG", sshString("pbem-v1"), sshString(""), sshString("sha512"), sshString(pbem.sha512(utf8(message))));

  /** Refuse a signature (64 bytes in base64) that is not the key's over the message. */
  async function checkSignature(keyText, message, signature, own = false) {
    const key = keyBytes(keyText);
    const bytes = unbase64(signature);
    if (!bytes || bytes.length !== 64) throw new Fault("bad signature", "the signature is not 64 bytes in base64");
    if (!(await pbem.verifyEd25519(key, preimage(message), bytes, own))) {
      throw new Fault("bad signature", "the signature does not fit the text and the key");
    }
  }

  /** Split SSH wire strings off the bytes. */
  function wire(bytes) {
    let at = 0;
    const take = (count) => {
      if (at + count > bytes.length) throw new Fault("bad signature", "the signature is cut short");
      at += count;
      return bytes.slice(at - count, at);
    };
    const number = () => new DataView(take(4).buffer).getUint32(0);
    return { take, number, string: () => take(number()), done: () => at === bytes.length };
  }

  /** The 64 bytes (base64) inside an armored SSHSIG that says what a pbem signature has to say. */
  function fromArmored(text) {
    const lines = text.trim().split("\n");
    const framed = lines.shift() === "-----BEGIN SSH SIGNATURE-----" && lines.pop() === "-----END SSH SIGNATURE-----";
    const bytes = framed ? unbase64(lines.join("")) : null;
    if (!bytes) throw new Fault("bad signature", "not an armored SSH signature");
    const fail = (what) => {
      throw new Fault("bad signature", `the armored signature has another ${what}`);
    };
    const is = (part, expected) => pbem.equal(part, utf8(expected));
    const outer = wire(bytes);
    if (!is(outer.take(6), "SSHSIG")) fail("magic");
    if (outer.number() !== 1) fail("version");
    outer.string();
    if (!is(outer.string(), "pbem-v1")) fail("namespace");
    if (!is(outer.string(), "")) fail("reserved field");
    if (!is(outer.string(), "sha512")) fail("hash");
    const inner = wire(outer.string());
    if (!outer.done()) fail("length");
    if (!is(inner.string(), "ssh-ed25519")) fail("algorithm");
    const signature = inner.string();
    if (signature.length !== 64 || !inner.done()) fail("length inside");
    return pbem.base64(signature);
  }

  // -- shapes: a shape throws when a value is not of it ----------------------------------------------------------------------

  const shape = (says, test) => (value, where) => {
    if (!test(value)) throw new Fault("unreadable", `${where}: ${says}`);
  };
  const any = () => {};
  const text = shape("a text is expected", (v) => typeof v === "string");
  const map = shape("a mapping is expected", isMap);
  const whole = (low, high = Number.MAX_SAFE_INTEGER) =>
    shape(`a whole number of at least ${low} is expected`, (v) => Number.isSafeInteger(v) && v >= low && v <= high);
  const exactly = (wanted) => shape(`${wanted} is expected`, (v) => v === wanted);
  const among = (...words) => shape(`one of ${words.join(", ")} is expected`, (v) => words.includes(v));
  const hash = shape("32 bytes in lower-case hex are expected", (v) => typeof v === "string" && /^[0-9a-f]{64}$/.test(v));
  const name = shape("a name is expected", (v) => typeof v === "string" && /^[a-z][a-z0-9-]{0,31}$/.test(v));
  const signature = shape("64 bytes in base64 are expected", (v) => unbase64(v)?.length === 64);
  const sealedSecret = shape("80 bytes in base64 are expected", (v) => unbase64(v)?.length === 80);
  const line = shape("a line of at most 500 characters is expected", (v) => typeof v === "string" && [...v].length <= 500);
  const handle = shape("a handle is expected", (v) => typeof v === "string" && /^[a-z][a-z0-9-]{0,31}:(draw|seal)\d+:\d+$/.test(v));
  const orNull = (inner) => (value, where) => value === null || inner(value, where);
  const list = (inner, most = Infinity) => (value, where) => {
    if (!Array.isArray(value) || value.length > most) throw new Fault("unreadable", `${where}: a list is expected`);
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
  const record = (fields) => (value, where) => {
    map(value, where);
    for (const [key, inner] of Object.entries(fields)) {
      const plain = key.replace(/\?$/, "");
      if (Object.hasOwn(value, plain)) inner(value[plain], `${where}.${plain}`);
      else if (plain === key) throw new Fault("unreadable", `${where}: ${key} is missing`);
    }
    for (const key of Object.keys(value)) {
      if (!(key in fields) && !(`${key}?` in fields)) throw new Fault("unreadable", `${where}: unknown key ${JSON.stringify(key)}`);
    }
  };
  const either = (choose) => (value, where) => {
    map(value, where);
    choose(value)(value, where);
  };

  const chainLength = whole(64, 65536);
  const holder = { key: text, chain: hash, chain_length: chainLength, draws: hash };
  const CHARTER = record({
    pbem: exactly(1),
    type: exactly("charter"),
    system: text,
    rules: text,
    rules_version: whole(1),
    nonce: hash,
    scenario: record({ name: text, hash }),
    options: map,
    seats: mapOf(name, record({ player: orNull(name), side: name })),
    players: mapOf(name, record(holder)),
    "umpire?": orNull(record({ player: name, role: among("witness", "escrow"), "escrow_key?": hash })),
    "escrow?": mapOf(name, sealedSecret),
    "lost_keys?": among("others", "umpire"),
    "answers?": mapOf(name, name),
    "deadline?": orNull(text),
    "note?": list(line),
    "signatures?": mapOf(name, signature),
  });

  const OPENING = either((v) =>
    "claim" in v
      ? record({ claim: whole(0), value: any })
      : record({ handle, ["order" in v ? "order" : "item"]: any, salt: hash }),
  );
  const common = {
    pbem: exactly(1),
    type: text,
    game: hash,
    seq: whole(1),
    prev: hash,
    "replaces?": orNull(hash),
    player: name,
    "signed_by?": name,
    link: hash,
    "state?": hash,
    "dice?": list(record({ roll: whole(0), label: text, sides: whole(2), dice: list(whole(1)) })),
    "commit?": list(record({ draw: whole(0), items: list(hash) })),
    "open?": list(OPENING),
    "slips?": list(map),
    "next_chain?": record({ tip: hash, length: chainLength, "escrow?": sealedSecret }),
    "next_draws?": hash,
    "note?": list(line),
    signature,
  };
  const FILES = {
    turn: { "orders?": list(any), "standing?": mapOf(text, any), "standing_sealed?": mapOf(text, list(hash, 8)) },
    undo: { to: whole(1) },
    offer: { offer: either((v) => record("draw" in v ? { draw: exactly(true) } : { rules_version: whole(1) })) },
    accept: { accepts: hash },
    decline: {},
    seat: { seat: record({ player: name, ...holder, from: whole(1), "holder?": line, "escrow?": sealedSecret }) },
  };
  const SLIPS = {
    refusal: { file: hash, outcome: text, reason: text },
    request: { text },
    resignation: { seats: list(name) },
    audit: {
      keys: list(record({ draw: whole(0), key: hash, path: list(hash) })),
      open: list(record({ handle, "order?": any, "item?": any, salt: hash })),
    },
    equivocation: { files: (value, where) => (list(map)(value, where), exactly(2)(value.length, `${where}: the number of files`)) },
  };

  /** Refuse a value that is no charter; signatures are not looked at. */
  function checkCharterShape(charter) {
    CHARTER(charter, "charter");
    const { players, seats, umpire, answers } = charter;
    const fail = (says) => {
      throw new Fault("unreadable", says);
    };
    for (const [seat, { player }] of Object.entries(seats)) {
      if (player !== null && !Object.hasOwn(players, player)) fail(`seat ${seat} is held by ${player}, who has no key`);
    }
    const sides = new Set(Object.values(seats).map((seat) => seat.side));
    if (sides.size !== 2) fail(`there are ${sides.size} sides, not two`);
    if (umpire && !Object.hasOwn(players, umpire.player)) fail("the umpire has no key");
    for (const player of Object.keys(players)) {
      const held = new Set(Object.values(seats).filter((s) => s.player === player).map((s) => s.side));
      if (held.size > 1) fail(`${player} holds seats of both sides`);
      if (!held.size && umpire?.player !== player) fail(`${player} holds no seat`);
      if (held.size && umpire?.player === player) fail(`${player} is umpire and plays`);
    }
    for (const [side, player] of Object.entries(answers ?? {})) {
      if (!Object.values(seats).some((s) => s.side === side && s.player === player)) fail(`${player} does not play for ${side}`);
    }
    for (const what of ["key", "chain", "draws"]) {
      const values = Object.values(players).map((p) => p[what]);
      if (new Set(values).size !== values.length) fail(`two players have the same ${what}`);
    }
    Object.values(players).forEach((p) => keyBytes(p.key));
  }

  /** Refuse a charter that is not complete and signed by all; gives its id, the game's. */
  async function checkCharter(charter, own = false) {
    checkCharterShape(charter);
    const free = Object.keys(charter.seats).filter((seat) => charter.seats[seat].player === null);
    if (free.length) throw new Fault("waiting", `nobody holds ${free.join(", ")}`);
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

  /** Refuse a value that is no file of a log. */
  function checkFileShape(file) {
    map(file, "file");
    if (!Object.hasOwn(FILES, file.type)) throw new Fault("unreadable", `no type of file: ${JSON.stringify(file.type)}`);
    record({ ...common, ...FILES[file.type] })(file, file.type);
    checkSize(file);
  }

  /** Refuse a slip of wrong shape, or not signed by the key; two files of an equivocation have to prove it. */
  async function checkSlip(slip, key) {
    map(slip, "slip");
    if (!Object.hasOwn(SLIPS, slip.slip)) throw new Fault("unreadable", `no kind of slip: ${JSON.stringify(slip.slip)}`);
    const frame = { pbem: exactly(1), type: exactly("slip"), slip: text, game: hash, head: hash, player: name, signature };
    record({ ...frame, ...SLIPS[slip.slip] })(slip, "slip");
    await checkSignature(key, signedText(slip), slip.signature);
    if (slip.slip === "equivocation") await checkEquivocation(...slip.files, key);
  }

  /** Refuse two files that do not prove that the key signed two at one place. */
  async function checkEquivocation(first, second, key) {
    [first, second].forEach(checkFileShape);
    const same = ["game", "seq", "player"].every((field) => first[field] === second[field]);
    if (!same) throw new Fault("unreadable", "the two files are not of one game, place and player");
    if (documentId(first) === documentId(second)) throw new Fault("unreadable", "it is one file twice");
    for (const file of [first, second]) await checkSignature(key, signedText(file), file.signature);
  }

  Object.assign(pbem, { canonical, signedText, documentId, checkSize, keyBytes, preimage, checkSignature, fromArmored });
  Object.assign(pbem, { checkCharter, checkCharterShape, checkFileShape, checkSlip, checkEquivocation, isMap });
})();
