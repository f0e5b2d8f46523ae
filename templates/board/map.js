// The map: the program's picture, what is lit below the counters, what can be clicked above them, moving and zooming.

import { svg } from './words.js';

const ORDER = ['base', 'control', 'glow', 'arrows', 'stacks', 'names', 'hits']; // the lowest first
const FONT = 'DejaVu Sans, Verdana, sans-serif';
const SMALLEST = 12, TOUCHED = 22; // pixels around the middle of a place that are the place
const MOVED = 6; // pixels: less is a click

// Markup of the program's own renderer, read as XML: nothing in it can run.
function parsed(markup) {
  const made = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, 'image/svg+xml').documentElement;
  return made.nodeName === 'svg' ? [...document.importNode(made, true).childNodes] : [];
}

export class GameMap {
  constructor(frame, clicked) {
    this.frame = frame;
    this.clicked = clicked;
    this.hits = new Map();
    this.names = new Map();
    this.lit = [];
    this.held = {};
    this.cursor = null;
    this.fingers = new Map();
    frame.addEventListener('wheel', e => this.wheel(e), { passive: false });
    for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) frame.addEventListener(kind, e => this.pointer(kind, e));
    new ResizeObserver(() => this.look()).observe(frame);
  }

  // Another picture: layers that are known already come without their content; what is looked at stays.
  show({ view, pixel, layers, places, facts }) {
    if (!view) return this.frame.replaceChildren();
    const [x, y, width, height] = view.split(' ').map(Number);
    if (view !== this.size) {
      this.view = null;
      this.root = svg('svg', { 'font-family': FONT }, ...['definitions', ...ORDER].map(name => svg(name === 'definitions' ? 'defs' : 'g', { class: name })));
    }
    [this.size, this.whole, this.pixel, this.facts] = [view, { x, y, width, height }, Number(pixel), facts];
    for (const [name, [digest, content]] of Object.entries(layers)) {
      this.held[name] = digest;
      if (content !== null) this.root.querySelector(`:scope > .${name}`).replaceChildren(...parsed(content));
    }
    if (places[1]) this.places = places[1];
    this.held.places = places[0];
    if (places[1] || layers.hits[1] !== null) this.learn();
    this.glow = this.root.querySelector(':scope > .glow');
    this.frame.replaceChildren(this.root);
    this.light(this.lit, this.from);
    this.look();
  }

  // What the places are called, and where they can be struck: the first shape is the place, the last one its counters.
  learn() {
    this.hits = new Map(this.places.map(([at, name]) => [at, { at, name, shapes: [] }]));
    this.names = new Map(this.places.flatMap(([at, , also]) => [at, ...also].map(name => [name, at])));
    for (const shape of this.root.querySelectorAll('.hits [data-at]')) this.hits.get(shape.dataset.at)?.shapes.push(shape);
  }

  // At first the whole board; on a narrow screen a part that can be read, around what can be chosen.
  first({ width, height }) {
    const w = this.whole, lit = this.lit.map(l => this.at(l.at)).filter(Boolean), wide = w.width / 2.5;
    if (width > 600 || !lit.length) return { ...w };
    const middle = name => lit.reduce((sum, hit) => sum + hit[name], 0) / lit.length, high = wide * height / width;
    return { x: middle('x') - wide / 2, y: middle('y') - high / 2, width: wide, height: high };
  }

  at(name) {
    const hit = this.hits.get(this.names.get(name));
    if (hit?.shapes.length && hit.x === undefined && this.root.isConnected) {
      const box = hit.shapes.at(-1).getBBox();
      [hit.x, hit.y] = [box.x + box.width / 2, box.y + box.height / 2];
    }
    return hit?.shapes.length ? hit : undefined;
  }

  // Places that can be chosen now: [{at, leads, start}]; `from`: where the gesture begins.
  light(lit, from) {
    this.lit = lit;
    this.from = from;
    if (!this.glow) return;
    if (!this.view) this.look();
    const shapes = [];
    for (const { at, leads, start } of lit) {
      const hit = this.at(at);
      if (!hit) continue;
      const kind = start ? 'start' : leads.find(l => l !== 'move') ?? 'move';
      shapes.push(this.shape(hit, `lit ${kind}`));
      if (kind === 'attack') shapes.at(-1).setAttribute('fill', 'url(#hatch)');
    }
    const origin = from && this.at(from);
    if (origin) shapes.push(this.shape(origin, 'from'));
    shapes.push(svg('defs', {}, svg('pattern', { id: 'hatch', width: 14, height: 14, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, svg('path', { d: 'M0 0V14', class: 'hatch' }))));
    this.glow.replaceChildren(...shapes);
    this.point(this.cursor && lit.some(l => l.at === this.cursor) ? this.cursor : null, true);
  }

  // The field of a place, as it stands among what can be struck.
  shape(hit, name) {
    const made = hit.shapes[0].cloneNode();
    made.setAttribute('class', name);
    made.removeAttribute('data-at');
    return made;
  }

  // The place that the keyboard is at.
  point(at, quietly) {
    this.cursor = at;
    this.glow?.querySelector('.cursor')?.remove();
    const hit = at && this.at(at);
    if (hit) {
      this.glow.append(svg('circle', { cx: hit.x, cy: hit.y, r: this.units(26), class: 'cursor' }));
      if (!quietly) this.reveal(hit);
    }
  }

  // The next lit place in a direction, from the one that the keyboard is at.
  next(dx, dy) {
    const here = this.at(this.cursor) ?? this.at(this.from) ?? { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 };
    let best = null, least = Infinity;
    for (const { at, start } of this.lit) {
      const hit = this.at(at);
      if (!hit || (start && this.from) || at === this.cursor) continue;
      const along = (hit.x - here.x) * dx + (hit.y - here.y) * dy, aside = Math.abs((hit.x - here.x) * dy) + Math.abs((hit.y - here.y) * dx);
      const price = along + 2 * aside;
      if (along > aside / 2 && price < least) [best, least] = [at, price];
    }
    if (best) this.point(best);
    return best;
  }

  flash() {
    this.glow?.classList.add('flash');
    setTimeout(() => this.glow?.classList.remove('flash'), 1200);
  }

  // -- the part of the board that is looked at

  units(pixels) { return pixels / (this.scale || 1); }

  look() {
    const box = this.frame.getBoundingClientRect();
    if (!this.root || !box.width || !box.height) return;
    this.view ??= this.first(box);
    const { x, y, width, height } = this.view;
    this.scale = Math.min(box.width / width, box.height / height);
    this.root.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }

  zoom(factor, centre) {
    if (!this.view) return;
    const v = this.view, least = this.whole.width / 12, most = this.whole.width * 1.1;
    const width = Math.min(Math.max(v.width / factor, least), most), by = width / v.width;
    const [cx, cy] = centre ?? [v.x + v.width / 2, v.y + v.height / 2];
    this.view = { x: cx - (cx - v.x) * by, y: cy - (cy - v.y) * by, width, height: v.height * by };
    this.keep();
  }

  keep() {
    const v = this.view, w = this.whole;
    v.x = Math.min(Math.max(v.x, w.x - v.width / 2), w.x + w.width - v.width / 2);
    v.y = Math.min(Math.max(v.y, w.y - v.height / 2), w.y + w.height - v.height / 2);
    this.look();
  }

  inUnits(e) {
    const point = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  reveal(hit) {
    const v = this.view;
    if (!v) return;
    const x = hit.x, y = hit.y;
    if (x < v.x || x > v.x + v.width || y < v.y || y > v.y + v.height) this.centre(hit.at);
  }

  centre(name, near) {
    const hit = this.at(name);
    if (!hit || !this.view) return;
    if (near && this.view.width > this.whole.width / 3) this.zoom(3 * this.view.width / this.whole.width);
    this.view.x = hit.x - this.view.width / 2;
    this.view.y = hit.y - this.view.height / 2;
    this.keep();
  }

  wheel(e) {
    e.preventDefault();
    if (this.view) this.zoom(Math.exp(-e.deltaY / 400), this.inUnits(e));
  }

  pointer(kind, e) {
    if (!this.view) return;
    if (kind === 'pointerdown') {
      this.fingers.set(e.pointerId, [e.clientX, e.clientY]);
      if (this.fingers.size === 1) this.way = 0;
      return;
    }
    const before = this.fingers.get(e.pointerId);
    if (!before) return;
    if (kind === 'pointermove') {
      const others = [...this.fingers].filter(([id]) => id !== e.pointerId).map(([, at]) => at);
      const dx = e.clientX - before[0], dy = e.clientY - before[1];
      this.way += Math.hypot(dx, dy);
      if (this.way < MOVED) return;
      this.frame.setPointerCapture(e.pointerId);
      this.fingers.set(e.pointerId, [e.clientX, e.clientY]);
      if (others.length) {
        const far = ([x, y]) => Math.hypot(x - others[0][0], y - others[0][1]) || 1;
        this.zoom(far([e.clientX, e.clientY]) / far(before), this.inUnits({ clientX: (e.clientX + others[0][0]) / 2, clientY: (e.clientY + others[0][1]) / 2 }));
      } else {
        this.view.x -= this.units(dx);
        this.view.y -= this.units(dy);
        this.keep();
      }
      return;
    }
    this.fingers.delete(e.pointerId);
    if (kind === 'pointerup' && this.way < MOVED) this.click(e);
  }

  // What lies under the pointer; near misses go to the nearest lit place.
  click(e) {
    const under = document.elementsFromPoint(e.clientX, e.clientY).map(one => one.dataset?.at).filter(Boolean);
    const lit = new Set(this.lit.map(l => this.names.get(l.at)));
    const struck = under.find(at => lit.has(at));
    this.clicked(struck ?? this.nearest(e, lit) ?? under[0] ?? null);
  }

  nearest(e, lit) {
    const [x, y] = this.inUnits(e), most = this.units(e.pointerType === 'touch' ? TOUCHED : SMALLEST);
    let best = null, least = most;
    for (const at of lit) {
      const hit = this.at(at);
      if (!hit) continue;
      const far = Math.hypot(hit.x - x, hit.y - y);
      if (far < least) [best, least] = [at, far];
    }
    return best;
  }
}
