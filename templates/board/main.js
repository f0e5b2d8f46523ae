// The page: one game at a time, one screen in the column, everything that happens passes through `run`.

import { column, odds } from './column.js';
import { keys } from './keys.js';
import { GameMap } from './map.js';
import { Gesture } from './picks.js';
import { conflict, curtain, help, inbox, news, review, sent } from './screens.js';
import { Changed, Gone, ask, give, hasKey, Refused } from './wire.js';
import { button, el, learn, say } from './words.js';

const LOOK_AGAIN = 3000; // milliseconds
const SCREENS = { inbox, news, review, sent, conflict, help, curtain, orders: column };
const byId = id => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme: dark)'), byTouch = matchMedia('(pointer: coarse)');

class App {
  screen = 'inbox'; tab = 'clicks'; games = []; sheet = null; odds = []; problems = []; received = []; redone = []; sought = ''; typed = null; scenes = []; scene = 0; trouble = [];
  at = { game: 0, seat: '' };
  busy = Promise.resolve();

  constructor() {
    this.map = new GameMap(byId('board'), at => this.run(() => this.clickPlace(at)));
    this.gesture = new Gesture(this.at, () => this.picked());
    byId('handle').onclick = () => this.raise();
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
    } else if (error instanceof Refused) {
      this.problems = this.screen === 'orders' ? error.problems : [];
      this.trouble = this.screen === 'orders' ? [] : error.problems;
    } else if (error instanceof Gone) this.trouble = [say(hasKey ? 'gone' : 'no_key')];
    else { this.trouble = [String(error)]; console.error(error); }
    this.draw();
  }

  notice() { return this.trouble.length ? el('ul', { className: 'problems', role: 'alert' }, this.trouble.map(line => el('li', {}, line))) : ''; }

  // -- drawing

  draw() {
    document.body.dataset.screen = this.screen;
    const s = this.sheet, inside = byId('content').contains(document.activeElement), key = inside && document.activeElement.dataset.key;
    byId('title').textContent = s?.title ?? say('title');
    byId('heading').textContent = s?.heading ?? '';
    document.title = `${s?.mine ? '● ' : ''}${s?.name ?? 'pbem'}${s?.mine ? `: ${say('your_turn')}` : ''}`;
    byId('tools').replaceChildren(...this.tools());
    byId('content').replaceChildren(...[SCREENS[this.screen](this)].flat(2).filter(Boolean));
    byId('zoom').replaceChildren(button('+', () => this.map.zoom(1.4), { 'aria-label': say('larger') }), button('−', () => this.map.zoom(1 / 1.4), { 'aria-label': say('smaller') }), button('◍', () => byId('board').classList.toggle('bare'), { 'aria-label': say('units'), title: say('units') }));
    this.pill();
    this.speak();
    const again = key && [...byId('content').querySelectorAll('[data-key]')].find(one => one.dataset.key === key && !one.disabled);
    if (again) again.focus({ preventScroll: true });
    else if (inside) (byId('content').querySelector('.pick:not(:disabled), .verbs button') ?? byId('board')).focus({ preventScroll: true });
  }

  tools() {
    const tool = (word, act, given = {}) => button(say(word), act, { key: `tool:${word}`, ...given });
    const desk = this.sheet?.desk;
    return [
      this.games.length > 1 && !this.together ? tool('games', () => this.run(() => this.list())) : null,
      this.sheet && this.screen !== 'curtain' ? tool('news', () => this.run(() => this.openNews())) : null,
      desk ? tool('undo', () => this.run(() => this.undo()), { disabled: !desk.orders.length }) : null,
      desk ? tool('redo', () => this.run(() => this.redo()), { disabled: !this.redone.length }) : null,
      desk && this.screen !== 'review' ? tool('send', () => this.review(), { className: 'main', disabled: !desk.orders.length }) : null,
      this.sheet ? button('?', () => this.showHelp(), { 'aria-label': say('help'), key: 'tool:help' }) : null].filter(Boolean);
  }

  // The order that is ready, over the map: on a phone the second tap.
  pill() {
    const { step, isOpen } = this.gesture, shown = this.screen === 'orders' && isOpen && step.orders.length > 0;
    byId('pill').hidden = !shown;
    byId('pill').replaceChildren(...(shown ? [el('p', {}, step.orders.join('; ')), button(say('take'), () => this.take(), { className: 'main', key: 'take' }), button('×', () => this.drop(), { 'aria-label': say('drop') })] : []));
  }

  speak() {
    const g = this.gesture, asked = this.sheet?.desk?.asked;
    const words = this.screen === 'review' ? [say('review')] : this.screen !== 'orders' || !asked ? [this.screen === 'orders' && this.sheet?.desk ? say('all_asked') : this.sheet?.due ?? ''] : [`${asked.seat}: ${asked.text}`, [g.verb, ...g.chosen.map(c => c.most > 1 ? `${c.count} ${c.name.replace(/^\d+\s/, '')}` : c.name)].filter(Boolean).join(', '), g.chosen.every(c => c.cost) ? g.step.budget : '', ...this.problems, ...g.step.problems];
    const told = words.filter(Boolean).join('. ');
    if (byId('live').textContent !== told) byId('live').textContent = told;
  }

  placeName(at) { return this.map.at(at)?.name ?? at; }

  matches(p) { return !this.sought || `${p.name} ${p.value} ${this.map.at(p.at)?.name ?? ''}`.toLowerCase().includes(this.sought.toLowerCase()); }

  lights() {
    const g = this.gesture;
    if (this.screen !== 'orders' || !this.sheet?.desk?.asked) return this.map.light([], null);
    const ends = g.picks.filter(p => p.at && p.slot !== 'unit' && !p.why).map(p => ({ at: p.at, leads: p.leads, start: g.chosen.length === 0 && p.slot === 'at' }));
    this.map.light([...g.starts.filter(p => g.chosen.length && !ends.some(e => e.at === p.at)).map(p => ({ at: p.at, leads: [], start: true })), ...ends], g.from);
  }

  hover(at) { this.map.point(at || null, true); }

  async redraw(scene) {
    const wanted = { ...this.at, theme: dark.matches ? 'dark' : 'light', held: this.map.held };
    const drawn = await ask('/map', scene === undefined ? wanted : { ...wanted, scene });
    this.lights();
    this.map.show(drawn);
    byId('facts').replaceChildren(...drawn.facts.map(fact => el('span', {}, fact)));
  }

  raise() {
    const heights = ['half', 'full', 'peek'], now = heights.indexOf(document.body.dataset.sheet);
    document.body.dataset.sheet = heights[(now + 1) % heights.length];
  }

  // -- games

  async begin() {
    if (!hasKey) throw new Gone();
    const found = await ask('/games');
    learn(found.words);
    this.games = found.games;
    this.together = found.together;
    document.documentElement.lang = found.language;
    if (this.together) return this.rest();
    if (this.games.length === 1 && !this.games[0].wrong.length) return this.opened(this.games[0].number);
    this.trouble = this.games.length === 1 ? this.games[0].wrong : [];
    this.draw();
  }

  async list() {
    ({ games: this.games } = await ask('/games'));
    this.screen = 'inbox';
    this.draw();
  }

  open(number) { return this.run(() => this.opened(number)); }

  async opened(number) {
    this.at.game = number;
    const row = this.games.find(g => g.number === number);
    await this.refresh(await ask('/sheet', this.at));
    if (row?.news) await this.openNews();
  }

  // Another sheet: its first picks, the map, the odds.
  async refresh(sheet, screen = 'orders') {
    const isNew = sheet.head !== this.sheet?.head;
    this.sheet = sheet;
    this.screen = screen;
    this.sought = '';
    if (isNew) [this.redone, this.typed] = [[], null];
    this.gesture.begin(sheet.step ?? { picks: [], orders: [], budget: '', note: '', problems: [], left: 0 });
    await this.onlyVerb();
    this.draw();
    await this.redraw();
    this.askOdds();
  }

  // Where a question has one verb only, it is chosen already.
  async onlyVerb() {
    const g = this.gesture, verbs = g.verbs.filter(v => !v.leads.includes('ends-phase'));
    if (verbs.length === 1 && g.first.picks.every(p => p.slot === 'verb')) await g.choose(verbs[0]);
  }

  async askOdds() {
    const head = this.sheet.changes;
    this.odds = [];
    if (!this.sheet.desk?.orders.length) return;
    const { lines } = await ask('/odds', this.at).catch(() => ({ lines: [] }));
    if (head === this.sheet.changes && lines.length) {
      this.odds = lines;
      byId('odds')?.replaceChildren(...odds(this));
    }
  }

  // -- picking

  async picked() { this.lights(); this.draw(); }

  choose(p) { return this.run(async () => { this.sought = ''; await this.gesture.choose(p); await this.whole(); }); }
  count(i, n) { return this.run(() => this.gesture.count(i, n)); }
  all(at) { return this.run(() => this.gesture.all(at)); }
  back() { return this.run(() => this.gesture.back()); }
  drop() { return this.run(async () => { this.gesture.clear(); await this.onlyVerb(); await this.picked(); }); }
  goHere() { return this.run(async () => { await this.gesture.goHere(); await this.whole(); }); }
  take() { return this.run(() => this.taken()); }

  async clickPlace(at) {
    if (!at || this.screen !== 'orders' || !this.sheet?.desk?.asked) return;
    await this.gesture.click(this.names(at));
    await this.whole();
  }

  // The name that picks have for a place of the map.
  names(at) {
    const known = [...this.gesture.picks, ...this.gesture.starts].find(p => p.at && this.map.at(p.at)?.at === at);
    return known?.at ?? at;
  }

  // With the mouse an order that needs nothing more is taken at once; a finger says so once more.
  async whole() { if (this.gesture.isOpen && this.gesture.isWhole && !byTouch.matches) await this.taken(); }

  async taken() {
    const sheet = await ask('/take', { ...this.gesture.partial, seen: this.sheet.changes.draft });
    this.redone = [];
    await this.refresh(sheet);
  }

  async undo() {
    const text = this.sheet.desk.text, sheet = await ask('/undo', { ...this.at, seen: this.sheet.changes.draft });
    const redone = [...this.redone, text];
    await this.refresh(sheet);
    this.redone = redone;
    this.draw();
  }

  async redo() {
    const redone = [...this.redone], text = redone.pop();
    await this.refresh(await ask('/sheet', { ...this.at, text, seen: this.sheet.changes.draft }));
    this.redone = redone;
    this.draw();
  }

  remove(at) { return this.run(async () => this.refresh(await ask('/remove', { ...this.at, at, seen: this.sheet.changes.draft }))); }

  openTab(name) { return this.run(async () => { this.tab = name; this.typed = null; await this.refresh(await ask('/sheet', this.at)); }); }

  // What was typed: checked and kept; the field itself is left alone.
  edit(text) {
    return this.run(async () => {
      const sheet = await ask('/sheet', { ...this.at, text, seen: this.sheet.changes.draft });
      this.sheet = sheet;
      this.gesture.begin(sheet.step ?? this.gesture.first);
      byId('tools').replaceChildren(...this.tools());
      this.speak();
      if (!sheet.desk.trouble) await this.redraw();
    });
  }

  // -- keys

  around(by) {
    const { starts, from } = this.gesture, now = starts.findIndex(p => p.at === from);
    if (starts.length) this.run(() => this.gesture.start(starts[(now + by + starts.length) % starts.length])).then(() => this.map.centre(this.gesture.from));
    return true;
  }

  arrow(dx, dy) { const at = this.map.next(dx, dy); if (at) byId('live').textContent = this.placeName(at); return true; }

  digit(n) { const i = this.gesture.chosen.findLastIndex(c => c.most > 1); if (i >= 0) this.count(i, n); return true; }

  enter() {
    const at = this.map.cursor;
    if (at) this.run(() => this.clickPlace(this.map.at(at).at));
    else if (this.gesture.step.orders.length) this.take();
    else if (this.gesture.from) this.all(this.gesture.from);
    return true;
  }

  backspace() { if (this.gesture.chosen.length) this.back(); else if (this.sheet?.desk?.orders.length) this.run(() => this.undo()); return true; }

  end() { const verb = this.gesture.verbs.find(p => p.leads.includes('ends-phase')); if (verb) this.choose(verb); return true; }

  find() { byId('find')?.focus(); return true; }

  seek(text) { this.sought = text; this.draw(); const field = byId('find'); field?.setSelectionRange(text.length, text.length); }

  chooseFound() { const first = byId('picks')?.querySelector('button:not(:disabled)'); byId('find').blur(); first?.click(); }

  showHelp() { this.screen = 'help'; this.draw(); return true; }

  // -- news, sending, mail

  openNews() {
    return ask('/replay', this.at).then(({ scenes }) => { this.scenes = scenes; return this.scenes.length ? this.scened(0) : this.scened(-1); });
  }

  showScene(number) { return this.run(() => this.scened(number)); }

  async scened(number) {
    [this.scene, this.screen] = [number, 'news'];
    this.draw();
    if (number >= 0) await this.redraw(number);
  }

  toTurn() { return this.run(async () => this.refresh(await ask('/sheet', this.at))); }

  review() { return this.run(async () => { this.reviewed = await ask('/review', this.at); this.screen = 'review'; this.lights(); this.draw(); }); }

  send() {
    return this.run(async () => {
      const { head, changes, desk } = this.sheet;
      this.sentFile = await ask('/send', { ...this.at, text: desk.text, seen: changes.draft, head, digest: this.reviewed.digest });
      if (this.together) return this.rest();
      await this.refresh(await ask('/sheet', this.at), 'sent');
    });
  }

  receive(bytes) {
    return this.run(async () => {
      this.received = (await give(bytes)).lines;
      if (this.screen === 'inbox') return this.list();
      const sheet = await ask('/sheet', this.at);
      await this.refresh(sheet, sheet.mine ? 'orders' : this.screen);
      if (sheet.mine) await this.openNews();
    });
  }

  settle(mine, stamp) { return this.run(async () => { this.typed = null; await this.refresh(await ask('/sheet', mine === null ? this.at : { ...this.at, text: mine, seen: stamp })); }); }

  async lookAgain() {
    if (!this.sheet || document.hidden || document.body.dataset.busy || ['curtain', 'conflict'].includes(this.screen)) return;
    const now = await ask('/changes', this.at).catch(() => null), seen = this.sheet.changes;
    if (!now || seen !== this.sheet.changes || (now.log === seen.log && now.draft === seen.draft)) return;
    if (this.typed !== null && now.draft !== seen.draft) return this.run(async () => this.refresh(await ask('/sheet', { ...this.at, text: this.typed, seen: seen.draft })));
    this.run(async () => { await this.refresh(await ask('/sheet', this.at), this.screen === 'sent' ? 'sent' : 'orders'); if (now.log !== seen.log && this.sheet.mine) await this.openNews(); });
  }

  // -- several players at one machine

  async rest() {
    [this.sheet, this.screen] = [null, 'curtain'];
    this.map.show({});
    this.games = (await ask('/games')).games;
    this.nextUp = this.games.find(g => g.mine)?.player ?? '';
    this.draw();
  }

  curtain() { return this.run(() => this.rest()); }

  sitDown() { return this.run(async () => { const { number, seat } = await ask('/sit'); Object.assign(this.at, { game: number, seat }); await this.opened(number); }); }
}

const app = new App();
app.run(() => app.begin());
