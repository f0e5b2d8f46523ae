// One order on its way: what is picked, and what the program says can come next. It knows no rule.

import { ask } from './wire.js';

export class Gesture {
  constructor(game, changed) {
    this.game = game; // the numbers that name game and seat in every question
    this.changed = changed;
    this.asked = 0;
    this.begin({ picks: [], orders: [], budget: '', note: '', problems: [], left: 0 });
  }

  // A new question, with its first picks; `instead`: for an order of the file that is to be another one.
  begin(first, instead = -1) {
    [this.first, this.instead] = [first, instead];
    this.clear();
  }

  clear() {
    this.asked += 1;
    [this.verb, this.chosen, this.step, this.roots, this.before] = ['', [], this.first, { '': this.first }, null];
  }

  get isOpen() { return this.verb !== '' || this.chosen.length > 0; }
  get verbs() { return this.first.picks.filter(p => p.slot === 'verb'); }
  get picks() { return this.step.picks.filter(p => p.slot !== 'verb' && !this.chosen.some(c => c.slot === p.slot && c.value === p.value)); }
  get isWhole() { return this.step.orders.length > 0 && !this.picks.some(p => !p.why); }
  get from() { return this.chosen.find(c => c.at)?.at ?? null; }
  get partial() { return { ...this.game, instead: this.instead, verb: this.verb, chosen: this.chosen.map(c => [c.slot, c.value, c.count]) }; }

  // Where a gesture of this verb can begin.
  get starts() { return (this.roots[this.verb] ?? this.first).picks.filter(p => p.at && p.slot !== 'verb' && !p.why); }

  async look() {
    const number = ++this.asked, verb = this.verb, isRoot = !this.chosen.length;
    const step = this.isOpen ? await ask('/step', this.partial) : this.first;
    if (number !== this.asked) return;
    if (isRoot) this.roots[verb] = step;
    this.step = step;
    await this.changed();
  }

  async choose(pick, count = pick.at || pick.slot !== 'unit' ? pick.most : 1) {
    if (pick.why) return;
    if (pick.slot === 'verb') {
      this.clear();
      this.verb = pick.value;
    } else this.chosen = [...this.chosen, { ...pick, count: Math.max(1, count) }];
    await this.look();
  }

  // How many of something that is picked; none: without it.
  async count(at, number) {
    const one = this.chosen[at];
    if (!one || number > one.most) return;
    this.chosen = number < 1 ? this.chosen.toSpliced(at, 1) : this.chosen.with(at, { ...one, count: number });
    await this.look();
  }

  // Everything of a place that can act; a name that another one ends with stands for some of its units.
  async all(place) {
    for (let next; (next = this.picks.find(p => p.slot === 'unit' && p.at === place && !p.why && !this.chosen.some(c => p.value.endsWith(` ${c.value}`))));) {
      this.chosen = [...this.chosen, { ...next, count: next.most }];
      this.step = await ask('/step', this.partial);
    }
    await this.look();
  }

  // One counter of a stack: one more of those that are chosen, or the first of its kind.
  async one(place, names) {
    const is = p => p.slot === 'unit' && p.at === place && names.some(name => name === p.value || name === p.name || name === p.value.replace(/-\d+$/, ''));
    const at = this.chosen.findIndex(is), pick = this.picks.find(p => is(p) && !p.why);
    if (at >= 0) await this.count(at, this.chosen[at].count + 1);
    else if (pick) await this.choose(pick, 1);
    return at >= 0 || Boolean(pick);
  }

  async back() {
    this.before = null;
    if (this.chosen.length) this.chosen = this.chosen.slice(0, -1);
    else this.verb = '';
    await this.look();
  }

  async start(pick) {
    const verb = this.verb;
    this.clear();
    this.verb = verb;
    await this.choose(pick);
  }

  // A place was clicked, perhaps on one of its counters. An own stack is selected even where it is a legal end; a second click
  // on it is the end. False where nothing can be done there.
  async click(at, names = []) {
    const end = this.picks.find(p => p.at === at && p.slot !== 'unit' && !p.why), start = this.starts.find(p => p.at === at);
    if (this.before?.at === at) return this.goHere();
    if (end && this.chosen.some(c => c.slot === 'unit') && start && at !== this.from) {
      const before = { at, verb: this.verb, chosen: this.chosen, end };
      await this.start(start);
      this.before = before;
      return this.changed();
    }
    if (end) return this.choose(end);
    if (at === this.from) return await this.one(at, names) || this.all(at);
    return start ? this.start(start) : false;
  }

  // A stack is drawn to another place: all of it, unless some of it is chosen.
  async drag(from, to) {
    const start = this.starts.find(p => p.at === from);
    if (from !== this.from && start) await this.start(start);
    if (!this.chosen.some(c => c.slot === 'unit')) await this.all(from);
    const end = this.picks.find(p => p.at === to && p.slot !== 'unit' && !p.why);
    return end ? this.choose(end) : false;
  }

  // The end that was a stack of one's own, with what was chosen for it.
  async goHere() {
    const { verb, chosen, end } = this.before;
    this.clear();
    [this.verb, this.chosen] = [verb, chosen];
    await this.choose(end);
  }
}
