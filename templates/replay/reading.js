// Strict YAML (SPEC 1), blocks with their armored copy (SPEC 11), the store's log. Not needed in a browser that is given JSON.
"use strict";
(() => {
  const pbem = (globalThis.pbem ??= {});
  const { Fault } = pbem;
  const MOST_BYTES = 1 << 20;
  const MOST_LEVELS = 32;
  const MOST_VALUES = 100000;
  const MOST_MAIL = 1 << 25;
  const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

  // -- YAML -------------------------------------------------------------------------------------------------------------------

  const ESCAPES = { 0: "\0", a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ", '"': '"', "/": "/" };
  Object.assign(ESCAPES, { "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029", "\t": "\t" });

  /** One document of strict YAML in a text; `value()` gives it. */
  class Reader {
    constructor(text) {
      this.text = text;
      this.at = 0;
      this.values = 0;
      this.keys = false; // inside a key: text, whatever it looks like
    }

    fail(says, at = this.at) {
      const before = this.text.slice(0, at).split("\n");
      throw new Fault("unreadable", `line ${before.length}, column ${before.at(-1).length + 1}: ${says}`);
    }

    // -- places --

    get char() {
      return this.text[this.at] ?? "";
    }
    get column() {
      return this.at - (this.text.lastIndexOf("\n", this.at - 1) + 1);
    }
    get fresh() {
      return this.at === 0 || this.text[this.at - 1] === "\n";
    }
    get ended() {
      return this.at >= this.text.length || (this.fresh && /^(---|\.\.\.)([ \t\n]|$)/.test(this.text.slice(this.at, this.at + 4)));
    }
    isBlank(offset = 0) {
      const char = this.text[this.at + offset];
      return char === undefined || char === " " || char === "\n" || char === "\t";
    }
    blanks() {
      while (this.char === " " || this.char === "\t") this.at += 1;
    }
    /** Past blanks, comments and line ends to the next thing; a tab cannot indent. */
    skip() {
      for (;;) {
        const [start, fresh] = [this.at, this.fresh];
        this.blanks();
        if (fresh && this.text.slice(start, this.at).includes("\t")) this.fail("a tab cannot indent", start);
        if (this.char === "#" && (this.at === 0 || this.isBlank(-1))) while (this.char && this.char !== "\n") this.at += 1;
        if (this.char !== "\n") return;
        this.at += 1;
      }
    }
    /** Nothing but a comment may follow on this line. */
    endOfLine() {
      const start = this.at;
      this.blanks();
      if (this.char === "#" && this.at > start) while (this.char && this.char !== "\n") this.at += 1;
      if (this.char && this.char !== "\n") this.fail("something stands after the value");
    }

    // -- values --

    count(level) {
      if (level > MOST_LEVELS) throw new Fault("too large", "more than 32 levels");
      this.values += 1;
      if (this.values > MOST_VALUES) throw new Fault("too large", "more than 100,000 values");
    }

    checked(text, at) {
      if (CONTROLS.test(text)) this.fail("a control character", at);
      if (/\p{Surrogate}/u.test(text)) this.fail("half a character", at);
      if (text.normalize("NFC") !== text) this.fail("text that is not in normal form C", at);
      return text;
    }

    plainValue(text, at) {
      if (this.keys) return this.checked(text, at);
      if (/^(0|-?[1-9][0-9]*)$/.test(text)) {
        if (!Number.isSafeInteger(Number(text))) this.fail("an integer that does not fit", at);
        return Number(text);
      }
      if (text === "true" || text === "false") return text === "true";
      return text === "" || text === "null" || text === "~" ? null : this.checked(text, at);
    }

    value() {
      this.skip();
      if (this.text.startsWith("---", this.at) && this.ended) {
        this.at += 3;
        this.skip();
      }
      if (this.char === "%") this.fail("a directive");
      const start = this.at;
      const value = this.ended ? null : this.node(0, 1);
      this.skip();
      if (this.text.startsWith("...", this.at)) {
        this.at += 3;
        this.skip();
      }
      if (this.at < this.text.length) this.fail("a second document, or something after the end");
      if (!pbem.isMap(value)) this.fail("a document is a mapping", start);
      return value;
    }

    /** What begins here, indented by at least `least`; a collection at this `level`. */
    node(least, level) {
      if (this.ended || this.column < least) {
        this.count(0);
        return this.keys ? "" : null;
      }
      if (this.char === "-" && this.isBlank(1)) return this.sequence(this.column, level);
      if (this.keyHere()) return this.mapping(this.column, level);
      return this.inline(least - 1, level);
    }

    /** Whether a key and its colon begin here. */
    keyHere() {
      const rest = this.text.slice(this.at, this.text.indexOf("\n", this.at) + 1 || undefined);
      if (/^[[{]/.test(rest)) {
        if (/^\{[^\n]*\}:([ \t\n]|$)|^\[[^\n]*\]:([ \t\n]|$)/.test(rest)) this.fail("a key is a word");
        return false;
      }
      if (rest[0] === "?" && this.isBlank(1)) return true;
      if (rest[0] === '"') return /^"(?:[^"\\]|\\.)*"[ \t]*:([ \t\n]|$)/.test(rest);
      if (rest[0] === "'") return /^'(?:[^']|'')*'[ \t]*:([ \t\n]|$)/.test(rest);
      return /^(?:[^# \t\n:]|:(?![ \t\n]|$))(?:[^:\n#]|:(?![ \t\n]|$)|(?<![ \t])#)*:([ \t\n]|$)/.test(rest);
    }

    key(flow = false) {
      const at = this.at;
      let text;
      if (this.char === '"' || this.char === "'") text = this.quoted();
      else {
        this.refuseIndicators();
        text = flow ? this.plainLines(-1, true) : this.plainLine(false);
        if (text === "<<") this.fail("a merge key", at);
      }
      this.blanks();
      if (this.char === ":" && this.text.slice(at, this.at).includes("\n")) this.fail("a key and its colon stand on one line", at);
      return this.checked(text, at);
    }

    /** A key after a question mark; its colon stands below. */
    explicitKey(column, level) {
      const at = (this.at += 1);
      this.keys = true;
      const key = this.after(column, level, false);
      this.keys = false;
      if (typeof key !== "string") this.fail("a key is a word", at);
      this.values -= 1;
      this.skip();
      return key;
    }

    put(into, key, value, at) {
      if (Object.hasOwn(into, key)) this.fail(`the key ${JSON.stringify(key)} stands twice`, at);
      Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
    }

    mapping(column, level) {
      this.count(level);
      const into = {};
      while (!this.ended && this.column === column) {
        if (!this.keyHere()) this.fail("a key and a colon are expected");
        const at = this.at;
        const explicit = this.char === "?" && this.isBlank(1);
        const key = explicit ? this.explicitKey(column, level) : this.key();
        const colon = this.char === ":" && this.isBlank(1) && (!explicit || this.column === column);
        if (colon) this.at += 1;
        else this.count(0);
        this.put(into, key, colon ? this.after(column, level, true) : null, at);
        this.skip();
      }
      if (!this.ended && this.column > column) this.fail("indented otherwise than its neighbours");
      return into;
    }

    sequence(column, level) {
      this.count(level);
      const items = [];
      while (!this.ended && this.column === column && this.char === "-" && this.isBlank(1)) {
        this.at += 1;
        items.push(this.after(column, level, false));
        this.skip();
      }
      if (!this.ended && this.column > column) this.fail("indented otherwise than its neighbours");
      return items;
    }

    /** What follows a colon or a dash: on the same line, or indented below it. */
    after(column, level, isKey) {
      const start = this.at;
      this.blanks();
      if (this.char && this.char !== "\n" && !(this.char === "#" && this.at > start)) {
        if (!isKey && this.text.slice(start, this.at).includes("\t")) this.fail("a tab cannot indent", start);
        if (!isKey) return this.node(column + 1, level + 1);
        if (this.char === "-" && this.isBlank(1)) this.fail("a list begins on its own line");
        return this.inline(column, level + 1);
      }
      this.skip();
      if (isKey && !this.ended && this.column === column && this.char === "-" && this.isBlank(1)) return this.sequence(column, level + 1);
      return this.node(column + 1, level + 1);
    }

    refuseIndicators() {
      if ("&*!".includes(this.char) && this.char) this.fail("anchors, aliases and tags are refused");
      if ("%@`|>,]}[{#".includes(this.char) || ("-?:".includes(this.char) && this.isBlank(1))) this.fail("no text begins so");
    }

    /** A scalar or a flow collection; lines that continue it are indented by more than `outer`. */
    inline(outer, level) {
      const char = this.char;
      if (char === "[" || char === "{") {
        const value = this.flow(level);
        this.endOfLine();
        return value;
      }
      this.count(0);
      if (char === '"' || char === "'") {
        const at = this.at;
        const text = this.checked(this.quoted(), at);
        this.endOfLine();
        return text;
      }
      if (char === "|" || char === ">") return this.block(outer);
      this.refuseIndicators();
      const at = this.at;
      return this.plainValue(this.plainLines(outer), at);
    }

    // -- scalars --

    /** Plain text up to the end of the line, a comment, or a colon. */
    plainLine(flow) {
      const start = this.at;
      for (; this.char && this.char !== "\n"; this.at += 1) {
        if (this.char === ":" && (this.isBlank(1) || (flow && ",[]{}".includes(this.text[this.at + 1])))) break;
        if (this.char === "#" && this.isBlank(-1)) break;
        if (flow && ",[]{}".includes(this.char)) break;
      }
      return this.text.slice(start, this.at).replace(/[ \t]+$/, "");
    }

    plainLines(outer, flow = false) {
      let text = this.plainLine(flow);
      for (;;) {
        if (this.char === ":" && !flow) this.fail("a second colon on one line");
        if (this.char !== "\n") return text;
        const back = this.at;
        let breaks = 0;
        let start = back;
        while (this.char === "\n") {
          breaks += 1;
          start = this.at += 1;
          this.blanks();
        }
        if (!flow && this.text.slice(start, this.at).includes("\t")) this.fail("a tab cannot indent", start);
        const comment = this.char === "#";
        if (!this.char || comment || this.ended || this.column <= outer || (flow && ",[]{}:".includes(this.char))) {
          this.at = back;
          return text;
        }
        text += (breaks === 1 ? " " : "\n".repeat(breaks - 1)) + this.plainLine(flow);
      }
    }

    quoted() {
      const quote = this.char;
      let text = "";
      for (this.at += 1; this.char !== quote || (quote === "'" && this.text[this.at + 1] === "'"); ) {
        if (!this.char) this.fail("a quote is not closed");
        if (this.char === "\n") text = text.replace(/[ \t]+$/, "") + this.fold();
        else if (quote === "'" && this.char === "'") {
          text += "'";
          this.at += 2;
        } else if (quote === '"' && this.char === "\\") text += this.escape();
        else {
          text += this.char;
          this.at += 1;
        }
      }
      this.at += 1;
      return text;
    }

    /** Line ends inside quotes: one is a blank, more are one less. */
    fold() {
      let breaks = 0;
      while (this.char === "\n") {
        breaks += 1;
        this.at += 1;
        if (this.ended && this.char) this.fail("a document ends inside quotes");
        while (this.char === " " || this.char === "\t") this.at += 1;
      }
      return breaks === 1 ? " " : "\n".repeat(breaks - 1);
    }

    escape() {
      const code = this.text[this.at + 1];
      const digits = { x: 2, u: 4, U: 8 }[code];
      if (code === "\n") {
        this.at += 1;
        const folded = this.fold();
        return folded === " " ? "" : folded;
      }
      if (digits) {
        const number = this.text.slice(this.at + 2, this.at + 2 + digits);
        if (number.length !== digits || !/^[0-9a-fA-F]+$/.test(number) || parseInt(number, 16) > 0x10ffff) this.fail("no such escape");
        this.at += 2 + digits;
        return digits === 8 ? String.fromCodePoint(parseInt(number, 16)) : String.fromCharCode(parseInt(number, 16));
      }
      if (!Object.hasOwn(ESCAPES, code ?? "?")) this.fail("no such escape");
      this.at += 2;
      return ESCAPES[code];
    }

    /** Literal (|) and folded (>) text. */
    block(outer) {
      const start = this.at;
      const [header, style, more] = /^([|>])([-+1-9]*)/.exec(this.text.slice(this.at, this.at + 4));
      if (!/^([1-9]?[-+]?|[-+][1-9])$/.test(more)) this.fail("no such kind of text block");
      this.at += header.length;
      this.endOfLine();
      this.at += 1;
      const given = Number(/[1-9]/.exec(more)?.[0] ?? 0);
      let indent = given ? Math.max(outer, 0) + given : 0;
      const lines = [];
      while (this.at < this.text.length) {
        const end = this.text.indexOf("\n", this.at);
        const line = this.text.slice(this.at, end < 0 ? undefined : end);
        const lead = /^ */.exec(line)[0].length;
        if (line.trim() !== "" || (indent && lead > indent)) {
          if (!indent) indent = lead;
          if (lead < indent || indent <= outer || this.ended) break;
        }
        lines.push(line.slice(indent || lead));
        this.at = end < 0 ? this.text.length : end + 1;
      }
      const open = this.at >= this.text.length && !this.text.endsWith("\n"); // the last line has no end
      let kept = lines.length;
      while (kept && lines[kept - 1] === "") kept -= 1;
      const body = style === "|" ? lines.slice(0, kept).join("\n") : foldLines(lines.slice(0, kept));
      const tail = more.includes("-") || (open && kept === lines.length) ? "" : more.includes("+") ? "\n".repeat(lines.length - kept + (kept ? 1 : 0)) : kept ? "\n" : "";
      return this.checked(body + tail, start);
    }

    // -- flow collections --

    flow(level) {
      this.count(level);
      const opened = this.at;
      const close = this.char === "[" ? "]" : "}";
      const into = close === "]" ? [] : {};
      this.at += 1;
      for (;;) {
        this.flowSkip(opened);
        if (this.char === close) break;
        if (close === "]") into.push(this.flowItem(level));
        else this.flowPair(into, level);
        this.flowSkip(opened);
        if (this.char === ",") this.at += 1;
        else if (this.char !== close) this.fail("a comma or the end is expected");
      }
      this.at += 1;
      return into;
    }

    flowSkip(opened) {
      this.skip();
      if (!this.char || this.ended) this.fail("a list or mapping is not closed", opened);
    }

    flowValue(level) {
      if (this.char === "[" || this.char === "{") return this.flow(level + 1);
      this.count(0);
      const at = this.at;
      if (this.char === '"' || this.char === "'") return this.checked(this.quoted(), at);
      if (",]}".includes(this.char)) return null;
      if (this.char === ":" || this.char === "?") this.fail("no text in brackets begins so");
      this.refuseIndicators();
      return this.plainValue(this.plainLines(-1, true), at);
    }

    flowItem(level) {
      const at = this.at;
      const quoted = this.char === '"' || this.char === "'";
      if (this.char === ",") this.fail("nothing stands before the comma");
      const value = this.flowValue(level);
      this.blanks();
      if (this.char !== ":" || !(quoted || this.isBlank(1))) return value;
      this.at = at;
      const pair = {};
      this.count(level + 1);
      this.flowPair(pair, level + 1);
      return pair;
    }

    flowPair(into, level) {
      const at = this.at;
      if (this.char && "[{?:".includes(this.char)) this.fail("a key is a word");
      const key = this.key(true);
      if (this.char !== ":") {
        this.flowSkip(at);
        if (this.char === ":") this.fail("a key and its colon stand on one line");
        this.count(0);
        return this.put(into, key, null, at);
      }
      this.at += 1;
      this.flowSkip(at);
      return this.put(into, key, this.flowValue(level), at);
    }
  }

  function foldLines(lines) {
    let text = "";
    lines.forEach((line, i) => {
      const before = lines[i - 1];
      const loose = (l) => l === undefined || /^[ \t]/.test(l);
      if (i === 0) text = line;
      else if (line === "") text += "\n";
      else if (loose(line) || loose(lines.slice(0, i).findLast((l) => l !== ""))) text += `\n${line}`;
      else text += (before === "" ? "" : " ") + line;
    });
    return text;
  }

  /** The document in bytes of strict YAML. */
  function readYaml(bytes) {
    if (bytes.length > MOST_BYTES) throw new Fault("too large", "more than 1 MiB");
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r\n?/g, "\n").replace(/^(\n*)\ufeff/, "$1");
    } catch {
      throw new Fault("unreadable", "not UTF-8");
    }
    const control = CONTROLS.exec(text);
    const reader = new Reader(text);
    if (control) reader.fail("a control character", control.index);
    return reader.value();
  }

  // -- blocks -----------------------------------------------------------------------------------------------------------------

  const ENTITIES = { "&gt;": ">", "&lt;": "<", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&amp;": "&" };

  /** CRC-24 of OpenPGP (RFC 9580), three bytes. */
  function crc24(bytes) {
    let crc = 0xb704ce;
    for (const byte of bytes) {
      crc ^= byte << 16;
      for (let bit = 0; bit < 8; bit++) crc = crc & 0x800000 ? (crc << 1) ^ 0x1864cfb : crc << 1;
    }
    return Uint8Array.of(crc >> 16, crc >> 8, crc);
  }

  function unquote(line) {
    return line.replace(/^(?:[ \t]*>)+ ?/, "").replace(/[ \t]+$/, "");
  }

  const marker = (line) => /^-{5}(BEGIN|END) PBEM (TURN|CHARTER|SLIP)-{5}$/.exec(line.trim().replace(/[\u2010-\u2015\u2212]/g, "-"));

  /** The document of an armored copy, or null when it is damaged. */
  function readArmor(lines) {
    const sum = lines.findIndex((line) => /^=[A-Za-z0-9+/]{4}$/.test(line.trim()));
    const bytes = sum < 0 ? null : pbem.unbase64(lines.slice(0, sum).join("").replace(/\s/g, ""));
    if (!bytes || pbem.base64(crc24(bytes)) !== lines[sum].trim().slice(1)) return null;
    return readYaml(bytes);
  }

  function readable(lines) {
    try {
      return readYaml(pbem.utf8(lines.join("\n")));
    } catch (fault) {
      if (fault.outcome === "too large") throw fault;
      return fault;
    }
  }

  function readBlock(lines) {
    const split = lines.findIndex((line) => line.trim().replace(/[\u2010-\u2015\u2212]/g, "-") === "-----PBEM ARMOR-----");
    const clear = readable(split < 0 ? lines : lines.slice(0, split));
    const armored = split < 0 ? null : readArmor(lines.slice(split + 1));
    if (clear instanceof Error) {
      if (armored) return armored;
      throw clear;
    }
    if (armored && pbem.canonical(armored) !== pbem.canonical(clear)) {
      throw new Fault("unreadable", "the readable and the armored copy say different things");
    }
    return clear;
  }

  /** The documents of all blocks in a text; a text without a block is one document. */
  function readBlocks(text) {
    if (pbem.utf8(text).length >= MOST_MAIL) throw new Fault("too large", "32 MiB or more");
    const cleaned = text.replace(/\r\n?/g, "\n").replaceAll("\u00a0", " ").replace(/&(gt|lt|quot|#39|nbsp|amp);/g, (e) => ENTITIES[e]);
    const found = [];
    let open = null;
    for (const line of cleaned.split("\n").map(unquote)) {
      const [, way, kind] = marker(line) ?? [];
      if (way === "BEGIN") open = { kind, lines: [] };
      else if (way === "END" && open && kind === open.kind) {
        found.push(readBlock(open.lines));
        open = null;
      } else if (way === "END") throw new Fault("unreadable", "an END line without its BEGIN line");
      else open?.lines.push(line);
    }
    if (open) throw new Fault("unreadable", "the END line is missing");
    return found.length ? found : [readYaml(pbem.utf8(cleaned))];
  }

  // -- the store's log ------------------------------------------------------------------------------------------------------------

  /** Refuse a log.jsonl whose entries are damaged or not in their order; an unfinished last line counts for nothing. */
  function checkStore(bytes) {
    const damaged = (says) => {
      throw new Fault("log damaged", says);
    };
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      damaged("not UTF-8");
    }
    let before = "0".repeat(64);
    text.split("\n").slice(0, -1).forEach((line, n) => {
      let entry;
      try {
        entry = JSON.parse(line);
      } catch {
        damaged(`entry ${n} is not JSON`);
      }
      if (!pbem.isMap(entry) || pbem.canonical(entry) !== line) damaged(`entry ${n} is not canonical`);
      if (entry.n !== n || entry.prev !== before) damaged(`entry ${n} does not follow the one before`);
      before = pbem.hex(pbem.sha256(pbem.utf8(line)));
    });
  }

  Object.assign(pbem, { readYaml, readBlocks, checkStore });
})();
