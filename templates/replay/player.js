// Steps through a game and verifies it: needs bytes.js, ed25519.js, document.js and verify.js before it, and the page's data.
"use strict";
(() => {
  const { pbem } = globalThis;
  const by = (id) => document.getElementById(id);
  const state = { game: null, boards: [], at: 0, shown: -1, verdicts: [], zoom: 1, timer: 0 };

  /** The page's data: zlib, base64. */
  async function unpack() {
    const bytes = Uint8Array.from(atob(by("data").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /** Every board as its list of pieces, from the changes between them. */
  function boardsOf(changes) {
    let now = [];
    return changes.map((steps) => {
      if (steps.length) now = now.slice();
      for (const [at, gone, come] of steps.toReversed()) now.splice(at, gone, ...come);
      return now;
    });
  }

  function element(name, text, className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  /** A sentence of the script's in the reader's language. */
  const say = (english, named = {}) =>
    (state.game?.words?.[english] ?? english).replace(/\{(\w+)\}/g, (place, name) => named[name] ?? place);

  // -- what is shown ------------------------------------------------------------------------------------------------------

  function showBoard(number) {
    const pieces = state.boards[number]; // equal lists are one list
    if (!pieces?.length || pieces === state.boards[state.shown]) return;
    by("board").innerHTML = pieces.map((piece) => state.game.pieces[piece]).join("");
    const { width, height } = by("board").firstElementChild.viewBox.baseVal;
    by("board-frame").style.setProperty("--ratio", String(width / height));
  }

  function fileName(number) {
    if (number === 0) return say("Charter");
    const file = state.game.files[number - 1];
    if (file.type === "void") return say("Place {n}: void", { n: number });
    if (file.type === "heal") return say("Heal {n}: all go on from file {to}", { n: number, to: file.to });
    const what = { turn: file.orders?.length ? "orders" : file.dice?.length ? "turns the dice" : "no decision" }[file.type] ?? file.type;
    return say("File {n}: {player}, {what}", { n: number, player: file.player, what: say(what) });
  }

  /** What was checked of a file that holds, in a few words. */
  function passed(number) {
    if (number === 0) return [say("signed by all players, keys and tips sound")];
    const file = state.game.files[number - 1];
    if (file.type === "void") return [say("given up by a heal: nothing stands here")];
    if (file.type === "heal") {
      const who = Object.keys(file.signatures).sort().join(", ");
      return [say("signed by {who}", { who }), say("goes on from file {to}; no dice are turned a second time", { to: file.to })];
    }
    const rolls = file.dice?.length ?? 0;
    const opened = file.open?.filter((o) => "handle" in o).length ?? 0;
    const before = number === 1 ? "the charter" : "file {n}";
    return [
      say(`signed by {who}, follows ${before}, the next link of the chain`, { who: file.signed_by || file.player, n: number - 1 }),
      ...(rolls ? [say(`{n} ${rolls === 1 ? "roll" : "rolls"} recomputed: the same dice`, { n: rolls })] : []),
      ...(opened ? [say("{n} opened as promised", { n: opened })] : []),
    ];
  }

  function showChecks(number) {
    const box = by("checks");
    const verdict = state.verdicts[number];
    box.className = verdict ? (verdict.faults.length ? "bad" : "good") : "";
    const faults = verdict?.faults.map(({ check, outcome, says }) => `✘ ${check}: ${outcome}: ${says}`);
    const lines = verdict ? (faults.length ? faults : passed(number).map((line) => `✔ ${line}`)) : [say("being checked …")];
    box.replaceChildren(...lines.map((line) => element("li", line)));
  }

  function showRolls(file) {
    const rolls = file?.dice ?? [];
    by("rolls-box").hidden = !rolls.length;
    by("rolls").replaceChildren(
      ...rolls.map(({ label, sides, dice }) => {
        const line = element("li", `${label} (d${sides}): `);
        line.append(...dice.map((die) => element("span", String(die), "die")));
        return line;
      }),
    );
  }

  function show(number) {
    const last = state.game.files.length;
    state.at = Math.max(0, Math.min(last, number));
    const [heading, due, log] = state.game.scenes[state.at] ?? ["", "", ""];
    const file = state.game.files[state.at - 1];
    by("where").textContent = heading;
    by("file-name").textContent = fileName(state.at);
    by("due").textContent = due;
    by("story").innerHTML = log;
    by("document").textContent = JSON.stringify(file ?? state.game.charter, null, 1);
    showRolls(file);
    showChecks(state.at);
    showBoard(state.at);
    by("slider").value = state.at;
    by("slider").setAttribute("aria-valuetext", fileName(state.at));
    by("count").textContent = `${state.at} / ${last}`;
    for (const id of ["first", "back"]) by(id).disabled = state.at === 0;
    for (const id of ["forward", "last"]) by(id).disabled = state.at === last;
    by("strip").querySelector(".now")?.classList.remove("now");
    by("strip").children[state.at].classList.add("now");
    by("log-frame").scrollTop = 0;
    if (state.at === last) pause();
    state.shown = state.at;
  }

  const step = (by_) => show(state.at + by_);

  // -- verification --------------------------------------------------------------------------------------------------------

  function tell(number, verdict) {
    state.verdicts[number] = verdict;
    const empty = number && state.game.files[number - 1].type === "void";
    by("strip").children[number].classList.add(verdict.faults.length ? "bad" : empty ? "empty" : "good");
    if (number === state.at) showChecks(number);
    if (number % 20 === 0) by("verdict-text").textContent = say("Checking: {n} of {all}", { n: number, all: state.game.files.length });
    return new Promise((resolve) => (number % 10 ? resolve() : setTimeout(resolve)));
  }

  function conclude() {
    const bad = state.verdicts.findIndex((verdict) => verdict.faults.length);
    const box = by("verdict");
    const places = state.game.files.filter((file) => ["void", "heal"].includes(file.type));
    const heals = places.filter((file) => file.type === "heal").length;
    const files = state.game.files.length - places.length;
    const healed = heals ? `, ${heals} ${heals === 1 ? "heal" : "heals"}` : "";
    const rolls = state.game.files.reduce((sum, file) => sum + (file.dice?.length ?? 0), 0);
    box.className = bad < 0 ? "good" : "bad";
    if (bad < 0) by("verdict-text").textContent = `✔ ${say("Everything holds: signatures, hash chain, links; files: {files}, rolls: {rolls}", { files, rolls })}${healed}`;
    else {
      const [{ outcome, says }] = state.verdicts[bad].faults;
      by("verdict-text").textContent = `✘ ${bad ? `File ${bad}` : "The charter"} does not hold: ${outcome}: ${says}`;
      by("to-fault").hidden = false;
      by("to-fault").addEventListener("click", () => show(bad));
    }
    document.documentElement.dataset.verified = bad < 0 ? "good" : "bad";
  }

  async function verify() {
    await pbem.judgeGame(state.game.charter, state.game.files, tell);
    conclude();
  }

  // -- controls --------------------------------------------------------------------------------------------------------------

  function pause() {
    clearInterval(state.timer);
    state.timer = 0;
    by("play").textContent = say("Play");
  }

  function playOrPause() {
    if (state.timer) return pause();
    if (state.at === state.game.files.length) show(0);
    state.timer = setInterval(() => step(1), 1500);
    by("play").textContent = say("Pause");
    return undefined;
  }

  function zoom(factor) {
    const frame = by("board-frame");
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
    state.zoom = Math.max(1, Math.min(8, state.zoom * factor));
    frame.classList.toggle("fit", state.zoom === 1);
    frame.style.setProperty("--zoom", String(state.zoom));
    frame.scrollTo(middle[0] * frame.scrollWidth - frame.clientWidth / 2, middle[1] * frame.scrollHeight - frame.clientHeight / 2);
  }

  function switchTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  const KEYS = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    PageDown: () => step(10),
    PageUp: () => step(-10),
    Home: () => show(0),
    End: () => show(state.game.files.length),
    " ": playOrPause,
    "+": () => zoom(1.5),
    "-": () => zoom(1 / 1.5),
    t: switchTheme,
  };

  function onKey(event) {
    const act = KEYS[event.key];
    const typing = event.target.closest("button, summary") && event.key === " ";
    if (!act || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  /** A swipe across the log turns over to the next file. */
  function onSwipe(area) {
    let start = null;
    area.addEventListener("touchstart", (event) => (start = event.touches.length === 1 ? event.touches[0] : null), { passive: true });
    area.addEventListener("touchend", (event) => {
      if (!start) return;
      const [dx, dy] = [event.changedTouches[0].clientX - start.clientX, event.changedTouches[0].clientY - start.clientY];
      if (Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) step(dx < 0 ? 1 : -1);
    });
  }

  function connect() {
    const clicks = { first: KEYS.Home, back: KEYS.ArrowLeft, play: playOrPause, forward: KEYS.ArrowRight, last: KEYS.End };
    Object.assign(clicks, { smaller: KEYS["-"], larger: KEYS["+"], theme: switchTheme });
    for (const [id, act] of Object.entries(clicks)) by(id).addEventListener("click", act);
    by("slider").max = state.game.files.length;
    by("slider").addEventListener("input", () => show(Number(by("slider").value)));
    by("strip").addEventListener("click", (event) => {
      const place = [...by("strip").children].indexOf(event.target);
      if (place >= 0) show(place);
    });
    document.addEventListener("keydown", onKey);
    onSwipe(by("log-frame"));
  }

  async function start() {
    state.game = await unpack();
    state.boards = boardsOf(state.game.boards);
    by("strip").replaceChildren(...[null, ...state.game.files].map((_, number) => {
      const mark = document.createElement("i");
      mark.title = fileName(number);
      return mark;
    }));
    by("strip").classList.toggle("many", state.game.files.length > 150);
    connect();
    zoom(1);
    show(Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? 0));
    await verify();
  }

  start().catch((fault) => {
    by("verdict").className = "bad";
    by("verdict-text").textContent = `✘ This file is damaged: ${fault.message}`;
    document.documentElement.dataset.verified = "bad";
  });
})();
