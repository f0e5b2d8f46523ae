// The page: one game at a time, one screen in the column; everything passes through `run`.

import * as column from './column.js';
import { keys } from './keys.js';
import { GameMap } from './map.js';
import { Failed, ask, give, hasKey } from './wire.js';
import { button, el, learn, page, say, sign, wrong } from './words.js';

const LOOK_AGAIN = 3000; // milliseconds
const SCREENS = { ...column, orders: column.column };
const byId = id => document.getElementById(id), shown = document.body.dataset;
const byTouch = matchMedia('(pointer: coarse)');

class App {
  screen = 'inbox'; tab = 'clicks'; games = []; sheet = null; odds = {}; received = []; sought = ''; typed = null; scenes = []; scene = 0; trouble = []; g = {};
  at = { game: 0, seat: '' };
  busy = Promise.resolve();

  constructor() {
    page.run = work => this.run(work);
    this.map = new GameMap(byId('board'), this);
    byId('handle').onclick = () => { shown.sheet = { half: 'full', full: 'peek', peek: 'half' }[shown.sheet]; };
    addEventListener('focus', () => this.lookAgain());
    setInterval(() => this.lookAgain(), LOOK_AGAIN);
    keys(this);
  }

  // One thing after the other; what goes wrong is said on the page.
  run(work) {
    this.busy = this.busy.then(async () => {
      this.trouble = [];
      shown.busy = 'yes';
      try { await work(); } catch (error) { this.wrong(error); }
      shown.busy = '';
    });
    return this.busy;
  }

  wrong(error) {
    if ('theirs' in error) {
      this.changed = { mine: this.typed ?? this.desk?.text ?? '', ...error };
      this.screen = 'conflict';
    } else this.trouble = error.problems ?? [error instanceof Failed ? say('gone') : `${error}`];
    if (!(error instanceof Failed)) console.error(error);
    this.draw();
  }

  ask(address, plain) { return ask(address, { ...this.at, ...plain }); }
  write(address, plain) { return this.ask(address, { ...plain, seen: this.sheet.changes.draft }); }
  get desk() { return this.sheet?.desk; }
  get isOn() { return this.screen === 'orders' && this.g.asks; }

  // -- drawing

  to(screen) { this.screen = screen; this.draw(); }

  draw() {
    shown.screen = this.screen;
    const s = this.sheet, content = byId('content'), title = s?.title ?? say('title'), focus = document.activeElement, inside = content.contains(focus), key = inside && focus.dataset.key;
    content.hidden = false;
    byId('title').textContent = title;
    byId('heading').textContent = s?.heading ?? '';
    document.title = s?.tab ?? 'pbem';
    byId('board').setAttribute('aria-label', say('map', { title }));
    byId('tools').replaceChildren(...this.tools());
    content.replaceChildren(...[wrong(this.trouble), SCREENS[this.screen](this)].flat(9).filter(Boolean));
    byId('zoom').replaceChildren(sign('+', 'larger', () => this.map.zoom(1.4)), sign('−', 'smaller', () => this.map.zoom(1 / 1.4)), sign('◍', 'units', () => byId('board').classList.toggle('bare')));
    this.pill();
    this.speak();
    const again = key && [...content.querySelectorAll('[data-key]')].find(one => one.dataset.key === key && !one.disabled);
    if (inside) (again || content.querySelector('.pick:not(:disabled), .verbs button') || byId('board')).focus({ preventScroll: true });
  }

  tools() {
    const { desk, sheet, screen } = this, tool = (word, work, given) => button(word, work, { key: `tool:${word}`, ...given }), none = !desk?.orders.length;
    return [
      this.games.length > 1 && !this.together && tool('games', () => this.list()),
      sheet && tool('news', () => this.openNews()),
      sheet && tool('matters', () => this.openMatters()),
      desk && sign('↶', 'undo', () => this.undo(), {}, { key: 'tool:undo', disabled: none }),
      desk && sign('↷', 'redo', () => this.put('/redo'), {}, { key: 'tool:redo', disabled: !sheet.redo }),
      desk && screen !== 'review' && tool('send', () => this.review(), { className: 'main', disabled: none }),
      sheet && sign('?', 'help', () => this.to('help'))].filter(Boolean);
  }

  // The order that is ready, over the map: on a phone the second tap.
  pill() {
    const { orders, isOpen } = this.g, pill = byId('pill');
    pill.hidden = !(this.isOn && isOpen && orders.length);
    pill.replaceChildren(...(pill.hidden ? [] : [el('p', orders.join('; ')), button('take', () => this.taken(), { className: 'main' }), sign('×', 'drop', () => this.drop())]));
  }

  speak() {
    const live = byId('live'), told = this.screen === 'review' ? say('review') : [this.sheet?.bar, this.isOn && this.g.heard, ...this.trouble].filter(Boolean).join('. ');
    if (live.textContent !== told) live.textContent = told;
  }

  placeName(at) { return this.map.at(at)?.name ?? at; }
  matches(p) { return `${p.name} ${p.value} ${this.placeName(p.at)}`.toLowerCase().includes(this.sought.toLowerCase()); }

  lights() {
    this.map.light(...this.isOn ? [this.g.lit, this.g.from, this.sheet.about] : [[]]);
  }

  async redraw(scene) {
    const drawn = await this.ask('/map', { held: this.map.held, scene });
    this.lights();
    this.map.show(drawn);
    byId('facts').replaceChildren(...drawn.facts.map(fact => el('span', fact)));
  }

  // -- games

  async begin() {
    await this.lookUp();
    learn(this.words);
    if (this.together) return this.rest();
    const [game, other] = this.games;
    if (!other && !game.wrong.length) return this.opened(game.number);
    this.draw();
  }

  async lookUp() { Object.assign(this, await ask('/games')); }

  async list() {
    await this.lookUp();
    this.to('inbox');
  }

  async opened(number) {
    this.at.game = number;
    await this.toTurn();
    if (this.games.find(g => g.number === number)?.news) await this.openNews();
  }

  // Another sheet: its first picks, the map, the odds.
  async refresh(sheet, screen = 'orders') {
    if (sheet.head !== this.sheet?.head) this.typed = null;
    Object.assign(this, { sheet, screen, sought: '', g: sheet.step ?? {} });
    this.draw();
    await this.redraw();
    this.askOdds();
  }

  async look(plain, screen) { await this.refresh(await this.ask('/sheet', plain), screen); }
  toTurn() { return this.look(); }

  async askOdds(what = 'odds') {
    const { sheet } = this;
    this.odds = {};
    const found = await this.ask('/' + what).catch(() => ({}));
    if (sheet === this.sheet) byId('odds')?.replaceChildren(...column.odds(this, this.odds = found));
  }

  // -- picking: the program answers each act with the gesture as it is now

  picked(g) {
    this.g = g;
    this.lights();
    this.draw();
  }

  // With the mouse an order that needs nothing more is taken at once; a finger says so once more.
  async act(act, more = {}) {
    const g = await this.ask('/step', { ...this.g.partial, act, ...more });
    if (g.takes && !byTouch.matches) return this.taken(g);
    this.picked(g);
  }

  choose({ slot, value }) { this.sought = ''; return this.act('choose', { slot, value }); }
  drop() { this.picked(this.sheet.step ?? {}); }

  struck(at, names = []) { if (at && this.isOn) this.run(() => this.act('click', { places: this.names(at), names })); }
  drawn(from, to) { this.run(() => this.act('drag', { source: this.names(from), places: this.names(to) })); }
  mayDraw(at) { return this.isOn && [this.g.from, ...this.g.starts].some(start => this.map.at(start)?.at === at); }

  // The names that picks may have for a place of the map.
  names(at) { const hit = this.map.at(at); return hit ? [hit.at, ...hit.also] : [at]; }

  // Why what is chosen cannot go to the place below the mouse.
  async rested(at) {
    const { g } = this, asks = at && this.isOn && g.chosen.length && !shown.busy && !this.map.isLit(at);
    const { problems } = asks ? await this.ask('/why', { ...this.g.partial, places: this.names(at) }).catch(() => ({})) : {};
    if (g === this.g) byId('board').title = at ? [this.placeName(at), ...problems ?? []].join('\n') : '';
  }

  taken(g = this.g) { this.g = g; return this.added('/take', g.partial); }

  // Another text of the order file.
  async put(address, plain) { const sheet = await this.write(address, plain); this.typed = null; await this.refresh(sheet); }

  // Orders that come into the file; where nothing more is asked it can be sent.
  async added(address, plain) {
    await this.put(address, plain);
    const { asked, passed, trouble } = this.desk;
    if (!asked && !passed.length && !trouble.length) await this.review();
  }

  async showOrder({ at }) { const { chosen } = await this.ask('/entry', { at }).catch(() => ({ chosen: [] })); this.map.point(chosen.map(c => c.at), true); }
  async change({ at }) { this.picked(await this.ask('/entry', { at })); }

  undo() { return this.put('/undo'); }
  remove(at) { return this.put('/remove', { at }); }
  openTab(name) { [this.tab, this.typed] = [name, null]; return this.toTurn(); }

  // What was typed: checked and kept; the field itself is left alone.
  async edit(text) {
    this.sheet = await this.write('/sheet', { text });
    this.g = this.sheet.step;
    byId('tools').replaceChildren(...this.tools());
    this.speak();
    byId('trouble')?.replaceWith(column.troubled(this));
    if (!this.desk.trouble.length) await this.redraw();
  }

  // -- keys

  async around(by) {
    await this.act('around', { by });
    this.map.centre(this.g.from);
  }

  arrow(dx, dy) { const at = this.map.next(dx, dy); if (at) byId('live').textContent = this.placeName(at); }

  enter() {
    const at = this.map.cursor;
    return at ? this.struck(at) : this.g.isOpen && this.g.orders.length ? this.taken() : this.g.from && this.act('all');
  }

  backspace() { return this.g.chosen?.length ? this.act('back') : this.desk?.orders.length && this.undo(); }
  end() { const verb = this.g.verbs?.find(p => p.ends); return verb && this.choose({ slot: 'verb', ...verb }); }
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
    await this.look({}, 'sent');
  }

  async mailed() { this.received = (await this.ask('/mail')).lines; this.draw(); }
  async openMatters() { this.matters = await this.ask('/matters'); this.lights(); this.to('matters'); }
  async deal({ id }) { await this.isSent(await this.ask('/deal', { id, head: this.sheet.head })); }

  async receive(bytes) {
    this.received = (await give(bytes)).lines;
    if (this.screen === 'inbox') return this.list();
    await this.look({}, this.screen);
    if (this.sheet.mine) await this.openNews();
  }

  settle(mine, stamp) { this.typed = null; return this.look(mine === null ? {} : { text: mine, seen: stamp }); }

  async lookAgain() {
    if (!this.sheet || document.hidden || shown.busy || this.screen === 'conflict') return;
    const seen = this.sheet.changes, now = await this.ask('/changes').catch(() => 0);
    if (!now || (now.log === seen.log && now.draft === seen.draft)) return;
    this.run(async () => {
      if (seen !== this.sheet?.changes) return; // ours
      const mine = this.typed !== null && now.draft !== seen.draft ? { text: this.typed, seen: seen.draft } : {};
      await this.look(mine, this.screen === 'sent' ? 'sent' : 'orders');
      if (now.log !== seen.log && this.sheet.mine) await this.openNews();
    });
  }

  // -- several players at one machine

  async rest() {
    this.sheet = null;
    this.map.show({});
    await this.lookUp();
    if (this.next && this.sole) return this.sitDown();
    this.to('curtain');
  }

  async sitDown() { const { number, seat } = await ask('/sit'); this.at.seat = seat; await this.opened(number); }
}

const app = new App();
byId('content').hidden = hasKey;
if (hasKey) app.run(() => app.begin());
