// Strict Ed25519 (SPEC section 2; RFC 8032): canonical encodings only, no point of small order, S below the group order.
// WebCrypto does the arithmetic where the platform has it; else the BigInt arithmetic below.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const P = 2n ** 255n - 19n;
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const mod = (x) => ((x % P) + P) % P;

  function power(base, exponent) {
    let [result, square] = [1n, mod(base)];
    for (let e = exponent; e > 0n; e >>= 1n) {
      if (e & 1n) result = (result * square) % P;
      square = (square * square) % P;
    }
    return result;
  }

  const D = mod(-121665n * power(121666n, P - 2n));
  const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);

  const little = (bytes) => BigInt("0x" + (pbem.hex(Uint8Array.from(bytes).reverse()) || "0"));

  /** y and the sign of x, from 32 bytes; null when y is not below 2^255-19. */
  function unpack(bytes) {
    const number = little(bytes);
    const y = number & (2n ** 255n - 1n);
    return y < P ? { y, sign: number >> 255n } : null;
  }

  /** The point [x, y, z, t] of 32 bytes, or null when the encoding is not canonical or off the curve. */
  function decode(bytes) {
    const packed = unpack(bytes);
    if (!packed) return null;
    const { y, sign } = packed;
    const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
    let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n));
    const check = mod(v * x * x);
    if (check === mod(-u)) x = mod(x * ROOT_OF_MINUS_1);
    else if (check !== u) return null;
    if (x === 0n && sign === 1n) return null;
    if ((x & 1n) !== sign) x = mod(-x);
    return [x, y, 1n, mod(x * y)];
  }

  function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const a = mod((y1 - x1) * (y2 - x2));
    const b = mod((y1 + x1) * (y2 + x2));
    const c = mod(2n * D * t1 * t2);
    const d = mod(2n * z1 * z2);
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  }

  const NEUTRAL = [0n, 1n, 1n, 0n];
  const BASE = decode(Uint8Array.from({ length: 32 }, (_, i) => (i ? 0x66 : 0x58)));

  function encode([x, y, z]) {
    const inverse = power(z, P - 2n);
    const number = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
    return pbem.unhex(number.toString(16).padStart(64, "0")).reverse();
  }

  /** s * first + h * second, both scalars at once. */
  function sumOfMultiples(s, first, h, second) {
    const both = add(first, second);
    let sum = NEUTRAL;
    for (let bit = 255n; bit >= 0n; bit--) {
      sum = add(sum, sum);
      const choice = ((s >> bit) & 1n) + 2n * ((h >> bit) & 1n);
      if (choice) sum = add(sum, [first, second, both][Number(choice) - 1]);
    }
    return sum;
  }

  /** Whether eight times the point is nothing. */
  function isSmall(point) {
    let p = point;
    for (let i = 0; i < 3; i++) p = add(p, p);
    return mod(p[0]) === 0n && mod(p[1] - p[2]) === 0n;
  }

  const known = new Map();

  /** The point of a public key, or null for one that is refused. */
  function publicPoint(bytes) {
    const name = pbem.hex(bytes);
    if (!known.has(name)) {
      const point = bytes.length === 32 ? decode(bytes) : null;
      known.set(name, point && !isSmall(point) ? point : null);
    }
    return known.get(name);
  }

  /** Whether the curve's equation holds, by arithmetic of our own. */
  function holds(key, message, signature) {
    const hash = little(pbem.sha512(pbem.join(signature.slice(0, 32), key, message))) % ORDER;
    const [x, y, z, t] = publicPoint(key);
    const point = sumOfMultiples(little(signature.slice(32)), BASE, hash, [mod(-x), y, z, mod(-t)]);
    return pbem.equal(encode(point), signature.slice(0, 32));
  }

  const platform = { keys: new Map(), works: null };

  /** Whether WebCrypto verifies: true, false, or null where the platform cannot say. */
  async function askPlatform(key, message, signature) {
    const subtle = globalThis.crypto?.subtle;
    if (!subtle || platform.works === false) return null;
    try {
      const name = pbem.hex(key);
      if (!platform.keys.has(name)) platform.keys.set(name, await subtle.importKey("raw", key, "Ed25519", false, ["verify"]));
      const answer = await subtle.verify("Ed25519", platform.keys.get(name), signature, message);
      platform.works = true;
      return answer;
    } catch {
      platform.works = false;
      return null;
    }
  }

  /** Whether 64 bytes are a strict signature of the message by the key (32 bytes); `own` leaves WebCrypto aside. */
  async function verifyEd25519(key, message, signature, own = false) {
    if (signature.length !== 64 || !publicPoint(key)) return false;
    if (little(signature.slice(32)) >= ORDER) return false;
    const r = decode(signature.slice(0, 32));
    if (!r || isSmall(r)) return false;
    const answer = own ? null : await askPlatform(key, message, signature);
    return answer ?? holds(key, message, signature);
  }

  Object.assign(pbem, { publicPoint, verifyEd25519 });
})();
