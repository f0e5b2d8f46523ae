// The page: one game at a time, one screen in the column, everything that happens passes through `run`.

import { bare, column, odds } from './column.js';
import { keys } from './keys.js';
import { GameMap } from './map.js';
import { Gesture } from './picks.js';
import * as screens from './screens.js';
import { Changed, Gone, ask, give, hasKey, Refused } from './wire.js';
import { button, el, learn, page, press, say, wrong } from './words.js';

const LOOK_AGAIN = 3000; // milliseconds
const NOTHING = { picks: [], orders: [], budget: '', note: '', problems: [], left: 0 };
const SCREENS = { ...screens, orders: column };
const byId = id => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme: dark)'), byTouch = matchMedia('(pointer: coarse)');

class App {
  screen = 'inbox'; tab = 'clicks'; games = []; sheet = null; odds = []; problems = []; received = []; redone = []; sought = ''; typed = null; scenes = []; scene = 0; trouble = []; entries = {};
  at = { game: 0, seat: '' };
  busy = Promise.resolve();

  constructor() {
    page.run = work => this.run(work);
    const struck = (at, names) => this.run(() => this.clickPlace(at, names)), drawn = (from, to) => this.run(() => this.drawn(from, to));
    this.map = new GameMap(byId('board'), { struck, drawn, mayDraw: at => this.mayDraw(this.names(at)), rested: at => this.rested(at) });
    this.gesture = new Gesture(this.at, () => this.picked());
    byId('handle').onclick = () => { document.body.dataset.sheet = { half: 'full', full: 'peek', peek: 'half' }[document.body.dataset.sheet]; };
    dark.addEventListener('change', () => this.run(() => this.redraw()));
    addEventListener('focus', () => this.lookAgain());
    setInterval(() => this.lookAgain(), LOOK_AGAIN);
    keys(this);
  }

  // One thing after the other; what goes wrong is said on the page.
  run(work) {
    this.busy = this.busy.then(async () => {
      this.trouble = this.problems = [];
      document.body.dataset.busy = 'yes';
      try { await work(); } catch (error) { this.wrong(error); }
      document.body.dataset.busy = '';
    });
    return this.busy;
  }

  wrong(error) {
    if (error instanceof Changed) {
      this.changed = { mine: this.typed ?? this.sheet?.desk?.text ?? '', ...error };
      this.screen = 'conflict';
    } else if (error instanceof Refused) this[this.screen === 'orders' ? 'problems' : 'trouble'] = error.problems;
    else if (error instanceof Gone) this.trouble = [say(hasKey ? 'gone' : 'no_key')];
    else { this.trouble = [String(error)]; console.error(error); }
    this.draw();
  }

  notice() { return wrong(this.trouble); }
  ask(address, plain = {}) { return ask(address, { ...this.at, ...plain }); }
  write(address, plain) { return this.ask(address, { ...plain, seen: this.sheet.changes.draft }); }
  get desk() { return this.sheet?.desk; }
  get isOn() { return this.screen === 'orders' && Boolean(this.desk?.asked || this.gesture.instead >= 0); }

  // -- drawing

  to(screen) { this.screen = screen; this.draw(); }

  draw() {
    document.body.dataset.screen = this.screen;
    const s = this.sheet, content = byId('content'), focus = document.activeElement, inside = content.contains(focus), key = inside && focus.dataset.key;
    byId('title').textContent = s?.title ?? say('title');
    byId('heading').textContent = s?.heading ?? '';
    document.title = `${s?.mine ? '● ' : ''}${s?.name ?? 'pbem'}${s?.mine ? `: ${say('your_turn')}` : ''}`;
    byId('board').setAttribute('aria-label', s ? say('map', { title: s.title }) : say('title'));
    byId('tools').replaceChildren(...this.tools());
    content.replaceChildren(...[SCREENS[this.screen](this)].flat(2).filter(Boolean));
    const icon = (sign, word, work) => press(sign, work, { 'aria-label': say(word), title: say(word) });
    byId('zoom').replaceChildren(icon('+', 'larger', () => this.map.zoom(1.4)), icon('−', 'smaller', () => this.map.zoom(1 / 1.4)), icon('◍', 'units', () => byId('board').classList.toggle('bare')));
    this.pill();
    this.speak();
    const again = key && [...content.querySelectorAll('[data-key]')].find(one => one.dataset.key === key && !one.disabled);
    if (inside) (again || content.querySelector('.pick:not(:disabled), .verbs button') || byId('board')).focus({ preventScroll: true });
  }

  tools() {
    const { desk, sheet, screen } = this, tool = (word, work, given = {}) => button(word, work, { key: `tool:${word}`, ...given }), none = !desk?.orders.length;
    return [
      this.games.length > 1 && !this.together && tool('games', () => this.list()),
      sheet && tool('news', () => this.openNews()),
      sheet && tool('matters', () => this.openMatters()),
      desk && tool('undo', () => this.undo(), { disabled: none }),
      desk && tool('redo', () => this.redo(), { disabled: !this.redone.length }),
      desk && screen !== 'review' && tool('send', () => this.review(), { className: 'main', disabled: none }),
      sheet && press('?', () => this.to('help'), { 'aria-label': say('help'), key: 'tool:help' })].filter(Boolean);
  }

  // The order that is ready, over the map: on a phone the second tap.
  pill() {
    const { step, isOpen } = this.gesture, shown = this.isOn && isOpen && step.orders.length > 0;
    byId('pill').hidden = !shown;
    byId('pill').replaceChildren(...(shown ? [el('p', step.orders.join('; ')), button('take', () => this.taken(), { className: 'main' }), press('×', () => this.drop(), { 'aria-label': say('drop') })] : []));
  }

  speak() {
    const g = this.gesture, asked = this.desk?.asked, chosen = [g.verb && g.verbs.find(v => v.value === g.verb)?.name, ...g.chosen.map(c => c.most > 1 ? `${c.count} ${bare(c.name)}` : c.name)].filter(Boolean).join(', ');
    const words = this.screen === 'review' ? [say('review')] : this.isOn && asked ? [`${asked.seat}: ${asked.text}`, chosen, g.chosen.every(c => c.cost) ? g.step.budget : '', ...this.problems, ...g.step.problems] : [this.screen === 'orders' && this.desk ? say('all_asked') : this.sheet?.due ?? ''];
    const told = words.filter(Boolean).join('. ');
    if (byId('live').textContent !== told) byId('live').textContent = told;
  }

  placeName(at) { return this.map.at(at)?.name ?? at; }
  matches(p) { return !this.sought || `${p.name} ${p.value} ${this.map.at(p.at)?.name ?? ''}`.toLowerCase().includes(this.sought.toLowerCase()); }
  pointing(at) { return { onmouseenter: () => this.map.point(at || null, true), onmouseleave: () => this.map.point(null, true) }; }
  entry(at) { return this.desk.orders.find(o => o.at === at) ?? { text: '' }; }

  lights() {
    const g = this.gesture;
    if (!this.isOn) return this.map.light([], null);
    const ends = g.picks.filter(p => p.at && p.slot !== 'unit' && !p.why).map(p => ({ at: p.at, leads: p.leads, start: !g.chosen.length && p.slot === 'at' }));
    this.map.light([...g.starts.filter(p => g.chosen.length && !ends.some(e => e.at === p.at)).map(p => ({ at: p.at, leads: [], start: true })), ...ends], g.from);
  }

  async redraw(scene) {
    const drawn = await this.ask('/map', { theme: dark.matches ? 'dark' : 'light', held: this.map.held, ...(scene === undefined ? {} : { scene }) });
    this.lights();
    this.map.show(drawn);
    byId('facts').replaceChildren(...drawn.facts.map(fact => el('span', fact)));
  }

  // -- games

  async begin() {
    if (!hasKey) throw new Gone();
    const found = await ask('/games');
    learn(found.words);
    [this.games, this.together] = [found.games, found.together];
    document.documentElement.lang = found.language;
    if (this.together) return this.rest();
    if (this.games.length === 1 && !this.games[0].wrong.length) return this.opened(this.games[0].number);
    this.trouble = this.games.length === 1 ? this.games[0].wrong : [];
    this.draw();
  }

  async list() {
    ({ games: this.games } = await ask('/games'));
    this.to('inbox');
  }

  async opened(number) {
    this.at.game = number;
    await this.toTurn();
    if (this.games.find(g => g.number === number)?.news) await this.openNews();
  }

  // Another sheet: its first picks, the map, the odds.
  async refresh(sheet, screen = 'orders') {
    if (sheet.head !== this.sheet?.head) [this.redone, this.typed] = [[], null];
    [this.sheet, this.screen, this.sought, this.entries] = [sheet, screen, '', {}];
    await this.drop(false);
    this.draw();
    await this.redraw();
    this.askOdds();
  }

  async toTurn() { await this.refresh(await this.ask('/sheet')); }

  async askOdds() {
    const seen = this.sheet.changes;
    this.odds = [];
    if (!this.desk?.orders.length) return;
    const { lines } = await this.ask('/odds').catch(() => ({ lines: [] }));
    if (seen === this.sheet.changes && lines.length) {
      this.odds = lines;
      byId('odds')?.replaceChildren(...odds(this));
    }
  }

  // -- picking

  async picked() { this.lights(); this.draw(); }
  async choose(p) { this.sought = ''; await this.gesture.choose(p); await this.whole(); }
  async goHere() { await this.gesture.goHere(); await this.whole(); }
  async back() { await this.gesture.back(); }

  // From the beginning; where a question has one verb only, it is chosen already.
  async drop(draws = true) {
    const g = this.gesture;
    g.begin(this.sheet.step ?? NOTHING);
    const verbs = g.verbs.filter(v => !v.leads.includes('ends-phase'));
    if (verbs.length === 1 && g.first.picks.every(p => p.slot === 'verb')) await g.choose(verbs[0]);
    else if (draws) await this.picked();
  }

  async clickPlace(at, names = []) {
    if (!at || !this.isOn) return;
    if (await this.gesture.click(this.names(at), names) === false) await this.refused(at);
    await this.whole();
  }

  mayDraw(at) { return this.isOn && (at === this.gesture.from || this.gesture.starts.some(p => p.at === at)); }
  async drawn(from, to) { if (await this.gesture.drag(this.names(from), this.names(to)) === false) await this.refused(to); await this.whole(); }

  // The name that picks have for a place of the map.
  names(at) { return [...this.gesture.picks, ...this.gesture.starts].find(p => p.at && this.map.at(p.at)?.at === at)?.at ?? at; }

  // Why what is chosen cannot go to a place, by the rules' own judgement.
  async why(at) {
    const hit = this.map.at(at), g = this.gesture;
    return hit && this.isOn && g.chosen.length ? (await ask('/why', { ...g.partial, places: [hit.at, ...hit.also] })).problems : [];
  }

  async refused(at) {
    this.problems = await this.why(at);
    if (this.problems.length) this.draw();
  }

  async rested(at) {
    const asked = this.gesture.asked, lit = at && this.map.lit.some(l => this.map.at(l.at)?.at === at), why = at && !lit && !document.body.dataset.busy ? await this.why(at).catch(() => []) : [];
    if (asked === this.gesture.asked) byId('board').title = at ? [this.placeName(at), ...why].join('\n') : '';
  }

  // With the mouse an order that needs nothing more is taken at once; a finger says so once more.
  async whole() { if (this.gesture.isOpen && this.gesture.isWhole && !byTouch.matches) await this.taken(); }

  async taken() {
    const sheet = await this.write('/take', this.gesture.partial);
    this.redone = [];
    await this.refresh(sheet);
  }

  // The picks of an order of the file, asked once for each text.
  async picksOf(at) { return this.entries[at] ??= await this.ask('/entry', { at }); }
  async showOrder(o) { const { chosen } = await this.picksOf(o.at).catch(() => ({ chosen: [] })); this.map.point(chosen.map(c => c.at).filter(Boolean), true); }

  async change(o) {
    const { verb, chosen, first } = await this.picksOf(o.at), g = this.gesture;
    g.begin(first, o.at);
    [g.verb, g.chosen] = [verb, chosen];
    await g.look();
  }

  async undo() {
    const redone = [...this.redone, this.desk.text];
    await this.refresh(await this.write('/undo'));
    this.redone = redone;
    this.draw();
  }

  async redo() {
    const redone = [...this.redone], text = redone.pop();
    await this.refresh(await this.write('/sheet', { text }));
    this.redone = redone;
    this.draw();
  }

  async remove(at) { await this.refresh(await this.write('/remove', { at })); }
  async openTab(name) { [this.tab, this.typed] = [name, null]; await this.toTurn(); }

  // What was typed: checked and kept; the field itself is left alone.
  async edit(text) {
    this.sheet = await this.write('/sheet', { text });
    this.gesture.begin(this.sheet.step ?? NOTHING);
    byId('tools').replaceChildren(...this.tools());
    this.speak();
    if (!this.desk.trouble) await this.redraw();
  }

  // -- keys

  async around(by) {
    const { starts, from } = this.gesture, now = starts.findIndex(p => p.at === from);
    if (!starts.length) return;
    await this.gesture.start(starts[(now + by + starts.length) % starts.length]);
    this.map.centre(this.gesture.from);
  }

  arrow(dx, dy) { const at = this.map.next(dx, dy); if (at) byId('live').textContent = this.placeName(at); }
  async digit(n) { const i = this.gesture.chosen.findLastIndex(c => c.most > 1); if (i >= 0) await this.gesture.count(i, n); }

  async enter() {
    const at = this.map.cursor, g = this.gesture;
    if (at) await this.clickPlace(this.map.at(at).at);
    else if (g.step.orders.length) await this.taken();
    else if (g.from) await g.all(g.from);
  }

  async backspace() { if (this.gesture.chosen.length) await this.back(); else if (this.desk?.orders.length) await this.undo(); }
  async end() { const verb = this.gesture.verbs.find(p => p.leads.includes('ends-phase')); if (verb) await this.choose(verb); }
  seek(text) { this.sought = text; this.draw(); byId('find')?.setSelectionRange(text.length, text.length); }
  chooseFound() { const first = byId('picks')?.querySelector('button:not(:disabled)'); byId('find').blur(); first?.click(); }

  // -- news, sending, mail, offers

  async openNews() {
    ({ scenes: this.scenes } = await this.ask('/replay'));
    await this.scened(this.scenes.length ? 0 : -1);
  }

  async scened(number) {
    this.scene = Math.min(number, this.scenes.length - 1);
    this.to('news');
    if (this.scenes[this.scene]) await this.redraw(this.scene);
  }

  async review() { this.reviewed = await this.ask('/review'); this.lights(); this.to('review'); }
  async send() { await this.isSent(await this.write('/send', { text: this.desk.text, head: this.sheet.head, digest: this.reviewed.digest })); }

  async isSent(file) {
    [this.sentFile, this.received] = [file, []];
    if (this.together) return this.rest();
    await this.refresh(await this.ask('/sheet'), 'sent');
  }

  async mailed() { this.received = (await this.ask('/mail')).lines; this.draw(); }
  async openMatters() { this.matters = await this.ask('/matters'); this.lights(); this.to('matters'); }
  async deal({ id }) { await this.isSent(await this.ask('/deal', { id, head: this.sheet.head })); }
  async stand(kind, value) { await this.refresh(await this.write('/stand', { kind, value })); await this.openMatters(); }

  async receive(bytes) {
    this.received = (await give(bytes)).lines;
    if (this.screen === 'inbox') return this.list();
    const sheet = await this.ask('/sheet');
    await this.refresh(sheet, sheet.mine ? 'orders' : this.screen);
    if (sheet.mine) await this.openNews();
  }

  async settle(mine, stamp) { this.typed = null; await this.refresh(await this.ask('/sheet', mine === null ? {} : { text: mine, seen: stamp })); }

  async lookAgain() {
    if (!this.sheet || document.hidden || document.body.dataset.busy || ['curtain', 'conflict'].includes(this.screen)) return;
    const now = await this.ask('/changes').catch(() => null), seen = this.sheet.changes;
    if (!now || seen !== this.sheet.changes || (now.log === seen.log && now.draft === seen.draft)) return;
    this.run(async () => {
      const mine = this.typed !== null && now.draft !== seen.draft ? { text: this.typed, seen: seen.draft } : {};
      await this.refresh(await this.ask('/sheet', mine), this.screen === 'sent' ? 'sent' : 'orders');
      if (now.log !== seen.log && this.sheet.mine) await this.openNews();
    });
  }

  // -- several players at one machine

  async rest() {
    this.sheet = null;
    this.map.show({});
    this.games = (await ask('/games')).games;
    this.nextUp = this.games.find(g => g.mine)?.player ?? '';
    this.to('curtain');
  }

  async sitDown() { const { number, seat } = await ask('/sit'); this.at.seat = seat; await this.opened(number); }
}

const app = new App();
app.run(() => app.begin());
