// Documents: canonical form and ids (SPEC 1), keys and signatures (SPEC 2).
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

  /** The document without its top-level `signature` (a charter, a heal: `signatures`). */
  function signedPart(document) {
    const { [["charter", "heal"].includes(document.type) ? "signatures" : "signature"]: _, ...rest } = document;
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

  Object.assign(pbem, { canonical, signedText, documentId, checkSize, keyBytes, preimage, checkSignature, fromArmored, isMap });
})();
