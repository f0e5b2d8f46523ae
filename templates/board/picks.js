// One order on its way: what is picked, and what the program says can come next. It knows no rule.

import { ask } from './wire.js';

export class Gesture {
  constructor(game, changed) {
    this.game = game; // the numbers that name game and seat in every question
    this.changed = changed;
    this.asked = 0;
    this.begin({ picks: [], orders: [], budget: '', note: '', problems: [], left: 0 });
  }

  // A new question, with its first picks.
  begin(first) {
    this.first = first;
    this.clear();
  }

  clear() {
    this.asked += 1;
    this.verb = '';
    this.chosen = [];
    this.step = this.first;
    this.roots = { '': this.first };
    this.before = null;
  }

  get isOpen() { return this.verb !== '' || this.chosen.length > 0; }
  get verbs() { return this.first.picks.filter(p => p.slot === 'verb'); }
  get picks() { return this.step.picks.filter(p => p.slot !== 'verb' && !this.chosen.some(c => c.slot === p.slot && c.value === p.value)); }
  get isWhole() { return this.step.orders.length > 0 && !this.picks.some(p => !p.why); }
  get from() { return this.chosen.find(c => c.at)?.at ?? null; }
  get partial() { return { ...this.game, verb: this.verb, chosen: this.chosen.map(c => [c.slot, c.value, c.count]) }; }

  // Where a gesture of this verb can begin.
  get starts() { return (this.roots[this.verb] ?? this.first).picks.filter(p => p.at && p.slot !== 'verb' && !p.why); }

  async look() {
    const number = ++this.asked, verb = this.verb, isRoot = this.chosen.length === 0;
    const step = this.isOpen ? await ask('/step', this.partial) : this.first;
    if (number !== this.asked) return false;
    if (isRoot) this.roots[verb] = step;
    this.step = step;
    await this.changed();
    return true;
  }

  async choose(pick, count = pick.at || pick.slot !== 'unit' ? pick.most : 1) {
    if (pick.why) return;
    if (pick.slot === 'verb') {
      this.clear();
      this.verb = pick.value;
    } else {
      this.chosen = [...this.chosen, { slot: pick.slot, value: pick.value, count: Math.max(1, count), name: pick.name, most: pick.most, at: pick.at, cost: pick.cost }];
    }
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
      this.chosen = [...this.chosen, { slot: next.slot, value: next.value, count: next.most, name: next.name, most: next.most, at: next.at }];
      this.step = await ask('/step', this.partial);
    }
    await this.look();
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

  // A place was clicked. An own stack is selected even where it is a legal end; a second click on it is the end.
  async click(at) {
    const end = this.picks.find(p => p.at === at && p.slot !== 'unit' && !p.why), start = this.starts.find(p => p.at === at);
    if (this.before?.at === at) return this.goHere();
    if (end && this.chosen.some(c => c.slot === 'unit') && start && at !== this.from) {
      const before = { at, verb: this.verb, chosen: this.chosen, end };
      await this.start(start);
      this.before = before;
      return this.changed();
    }
    if (end) return this.choose(end);
    if (at === this.from) return this.all(at);
    if (start) return this.start(start);
  }

  // The end that was a stack of one's own, with what was chosen for it.
  async goHere() {
    const { verb, chosen, end } = this.before;
    this.clear();
    [this.verb, this.chosen] = [verb, chosen];
    await this.choose(end);
  }
}
