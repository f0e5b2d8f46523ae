// Bytes, base64, SHA-256, SHA-512, HMAC-SHA256: plain JavaScript, for browsers and node alike.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});

  /** What is wrong with a document: `outcome` is a word of SPEC section 12. */
  class Fault extends Error {
    constructor(outcome, says) {
      super(says);
      this.outcome = outcome;
    }
  }

  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const u32be = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
  const u64be = (n) => join(u32be(Math.floor(n / 2 ** 32)), u32be(n % 2 ** 32));
  const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

  /** The bytes of all parts, texts as UTF-8. */
  function join(...parts) {
    const pieces = parts.map((p) => (typeof p === "string" ? utf8(p) : p));
    const all = new Uint8Array(pieces.reduce((sum, p) => sum + p.length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  function base64(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length; i += 3) {
      const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
      const left = bytes.length - i;
      text += ALPHABET[word >> 18] + ALPHABET[(word >> 12) & 63];
      text += (left > 1 ? ALPHABET[(word >> 6) & 63] : "=") + (left > 2 ? ALPHABET[word & 63] : "=");
    }
    return text;
  }

  /** The bytes of canonical base64 (padding, alphabet, no bits left over), else null. */
  function unbase64(text) {
    if (typeof text !== "string" || text.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
    const bytes = new Uint8Array((text.length / 4) * 3);
    let at = 0;
    for (let i = 0; i < text.length; i += 4) {
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => Math.max(0, ALPHABET.indexOf(text[i + k])));
      const word = (a << 18) | (b << 12) | (c << 6) | d;
      bytes.set([word >> 16, word >> 8, word], at);
      at += 3;
    }
    const cut = bytes.slice(0, at - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0));
    return base64(cut) === text ? cut : null;
  }

  // -- SHA-2 (FIPS 180-4): the constants are the fractions of roots of primes ---------------------------------------------

  function primes(count) {
    const found = [];
    for (let n = 2; found.length < count; n++) if (found.every((p) => n % p)) found.push(n);
    return found;
  }

  /** The first 64 bits of the fraction of the k-th root of a prime. */
  function fractionOfRoot(prime, k) {
    const wanted = BigInt(prime) << BigInt(64 * k);
    let low = 0n;
    let high = 1n << 72n;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (middle ** BigInt(k) <= wanted) low = middle;
      else high = middle;
    }
    return low & ((1n << 64n) - 1n);
  }

  const K512 = primes(80).map((p) => fractionOfRoot(p, 3));
  const H512 = primes(8).map((p) => fractionOfRoot(p, 2));
  const K256 = Int32Array.from(K512.slice(0, 64), (k) => Number(k >> 32n) | 0);
  const H256 = Int32Array.from(H512, (h) => Number(h >> 32n) | 0);

  function padded(bytes, block, lengthBytes) {
    const size = Math.ceil((bytes.length + 1 + lengthBytes) / block) * block;
    const all = new Uint8Array(size);
    all.set(bytes);
    all[bytes.length] = 0x80;
    all.set(u64be(bytes.length * 8), size - 8);
    return new DataView(all.buffer);
  }

  function sha256(bytes) {
    const data = padded(bytes, 64, 8);
    const state = Int32Array.from(H256);
    const w = new Int32Array(64);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let at = 0; at < data.byteLength; at += 64) {
      for (let i = 0; i < 16; i++) w[i] = data.getInt32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K256[i] + w[i]) | 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
    }
    return join(...Array.from(state, (x) => u32be(x)));
  }

  function sha512(bytes) {
    const data = padded(bytes, 128, 16);
    const state = BigUint64Array.from(H512);
    const w = new BigUint64Array(80);
    const cut = (x) => BigInt.asUintN(64, x);
    const turn = (x, n) => (x >> n) | cut(x << (64n - n));
    for (let at = 0; at < data.byteLength; at += 128) {
      for (let i = 0; i < 16; i++) w[i] = data.getBigUint64(at + 8 * i);
      for (let i = 16; i < 80; i++) {
        const s0 = turn(w[i - 15], 1n) ^ turn(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
        const s1 = turn(w[i - 2], 19n) ^ turn(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 80; i++) {
        const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
        const t1 = cut(h + s1 + ((e & f) ^ (cut(~e) & g)) + K512[i] + w[i]);
        const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
        const t2 = cut(s0 + ((a & b) ^ (a & c) ^ (b & c)));
        [h, g, f, e, d, c, b, a] = [g, f, e, cut(d + t1), c, b, a, cut(t1 + t2)];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
    }
    return unhex(Array.from(state, (x) => x.toString(16).padStart(16, "0")).join(""));
  }

  function hmac(key, ...parts) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    const inner = sha256(join(block.map((b) => b ^ 0x36), ...parts));
    return sha256(join(block.map((b) => b ^ 0x5c), inner));
  }

  Object.assign(pbem, { Fault, utf8, hex, unhex, u32be, u64be, equal, join, base64, unbase64, sha256, sha512, hmac });
})();
