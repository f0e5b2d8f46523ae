// The map: the program's picture, what is lit below the counters, what can be clicked above them, moving and zooming.

const SMALLEST = 12, TOUCHED = 22; // pixels around the middle of a place that are it
const LEGIBLE = 32, WIDE = 600; // pixels of a place; of a large map
const MOVED = 6; // pixels: less is a click
const HELD = 450, CLOSER = 3; // milliseconds after which a finger that rests has the map come closer, so many times
const RESTING = 300; // milliseconds after which a place below the mouse is told of
const within = (least, value, most) => Math.min(Math.max(value, least), most);

// Markup of the program's own renderer, read as XML: nothing in it can run.
function parsed(markup) {
  const made = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, 'image/svg+xml').documentElement;
  return made.nodeName === 'svg' ? [...document.importNode(made, true).childNodes] : [];
}

export class GameMap {
  hits = new Map(); names = new Map(); lit = []; held = {}; cursor = null; fingers = new Map();

  // `app`: struck(place, names of the counter), drawn(from, to), mayDraw(place), rested(place).
  constructor(frame, app) {
    Object.assign(this, { frame, app, blank: frame.firstElementChild, colours: new CSSStyleSheet() });
    document.adoptedStyleSheets = [this.colours];
    this.show({});
    frame.addEventListener('wheel', e => { e.preventDefault(); if (this.view) this.zoom(Math.exp(-e.deltaY / 400), this.inUnits(e)); }, { passive: false });
    for (const kind of ['down', 'move', 'up', 'cancel']) frame.addEventListener(`pointer${kind}`, e => this.view && this[kind](e));
    new ResizeObserver(() => this.look()).observe(frame);
  }

  // Another picture: layers that are known come without their content; what is looked at stays.
  show({ view, layers, colours, places, room }) {
    if (!view) return this.frame.replaceChildren();
    const [x, y, width, height] = view.split(' ').map(Number);
    if (view !== this.size) {
      this.view = this.isMoved = null;
      this.root = this.blank.cloneNode(true);
    }
    Object.assign(this, { room, size: view, whole: { x, y, width, height } });
    for (const [name, [digest, content]] of Object.entries(layers)) {
      this.held[name] = digest;
      if (content !== null) this.root.querySelector(`:scope > .${name}`).replaceChildren(...parsed(content));
    }
    this.colours.replaceSync(colours);
    if (places[1]) this.places = places[1];
    this.held.places = places[0];
    if (places[1] || layers.hits[1] !== null) this.learn();
    this.glow = this.root.querySelector(':scope > .glow');
    this.frame.replaceChildren(this.root);
    this.light(this.lit, this.from, this.about);
    this.look();
  }

  // What the places are called and where they are struck: the first shape is the place, the last its counters.
  learn() {
    this.hits = new Map(this.places.map(([at, name, also]) => [at, { at, name, also, shapes: [] }]));
    this.names = new Map(this.places.flatMap(([at, , also]) => [at, ...also].map(name => [name, at])));
    for (const shape of this.root.querySelectorAll('.hits [data-at]')) this.hits.get(shape.dataset.at)?.shapes.push(shape);
  }

  // At first the whole board; where that is too small, what can be chosen or what is asked about.
  first({ width, height }) {
    const w = this.whole, lit = (width < WIDE && this.about ? [[this.about]] : this.lit).map(([at]) => this.at(at)).filter(Boolean);
    if (!lit.length || (width > WIDE && this.room * Math.min(width / w.width, height / w.height) > LEGIBLE)) return { ...w };
    const xs = lit.map(hit => hit.x), ys = lit.map(hit => hit.y), left = Math.min(...xs), right = Math.max(...xs), top = Math.min(...ys), foot = Math.max(...ys);
    const wide = within(w.width / 2.5, width > WIDE ? Math.max(right - left, (foot - top) * width / height) * 1.3 : 0, w.width), high = wide * height / width;
    return { x: (left + right - wide) / 2, y: (top + foot - high) / 2, width: wide, height: high };
  }

  at(name) {
    const hit = this.hits.get(this.names.get(name));
    if (hit?.shapes.length && hit.x === undefined && this.root.isConnected) {
      const box = hit.shapes.at(-1).getBBox();
      [hit.x, hit.y] = [box.x + box.width / 2, box.y + box.height / 2];
    }
    return hit?.x === undefined ? undefined : hit; // nowhere while no map is shown
  }

  // What can be chosen: [at, how it is lit]; where the gesture begins; the place in question.
  light(lit, from, about) {
    Object.assign(this, { lit, from, about });
    if (!this.glow) return;
    if (!this.isMoved && this.frame.clientWidth > WIDE && (this.view?.width === this.whole.width || lit.some(([at]) => this.isOut(this.at(at))))) this.view = null; // nobody has moved it
    if (!this.view) this.look();
    const shapes = lit.map(([at, kind]) => this.shape(at, `lit ${kind}`));
    this.glow.replaceChildren(...[...shapes, this.shape(from || about, 'from')].filter(Boolean));
    this.point(lit.some(([at]) => at === this.cursor) ? this.cursor : null, true);
  }

  // The field of a place, as it stands among what can be struck.
  shape(at, name) {
    const made = this.at(at)?.shapes[0].cloneNode();
    made?.setAttribute('class', name);
    made?.removeAttribute('data-at');
    if (name.endsWith('attack')) made?.setAttribute('fill', 'url(#hatch)');
    return made;
  }

  // The place that the keyboard is at; or some that a line of the column is about.
  point(at, quietly) {
    this.cursor = typeof at === 'string' ? at : null;
    this.glow?.querySelectorAll('.cursor').forEach(one => one.remove());
    for (const hit of new Set([at].flat().map(one => this.at(one)).filter(Boolean))) {
      this.glow.append(...parsed(`<circle cx="${hit.x}" cy="${hit.y}" r="${this.units(26)}" class="cursor"/>`));
      if (!quietly) this.centre(hit.at);
    }
  }

  // The next lit place in a direction.
  next(dx, dy) {
    const here = this.at(this.cursor) ?? this.at(this.from) ?? { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 };
    let best = null, least = Infinity;
    for (const [at, kind] of this.lit) {
      const hit = this.at(at);
      if (!hit || (kind === 'start' && this.from) || at === this.cursor) continue;
      const along = (hit.x - here.x) * dx + (hit.y - here.y) * dy, aside = Math.abs((hit.x - here.x) * dy) + Math.abs((hit.y - here.y) * dx);
      if (along > aside / 2 && along + 2 * aside < least) [best, least] = [at, along + 2 * aside];
    }
    if (best) this.point(best);
    return best;
  }

  isOut(hit) { const v = this.view; return hit && v && (hit.x < v.x || hit.x > v.x + v.width || hit.y < v.y || hit.y > v.y + v.height); }

  isLit(place) { return this.lit.some(([at]) => this.names.get(at) === place); }

  flash() {
    this.glow?.classList.add('flash');
    setTimeout(() => this.glow?.classList.remove('flash'), 1200);
  }

  // -- the part of the board that is looked at

  units(pixels) { return pixels / (this.scale || 1); }

  look() {
    const box = this.frame.getBoundingClientRect();
    if (!this.root || !box.width || !box.height) return;
    const { x, y, width, height } = this.view ??= this.first(box);
    this.scale = Math.min(box.width / width, box.height / height);
    this.root.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }

  zoom(factor, centre) {
    const v = this.view, w = this.whole;
    if (!v) return;
    const width = within(w.width / 12, v.width / factor, w.width * 1.1), by = width / v.width;
    const [cx, cy] = centre ?? [v.x + v.width / 2, v.y + v.height / 2];
    this.go({ x: cx - (cx - v.x) * by, y: cy - (cy - v.y) * by, width, height: v.height * by });
  }

  go(v) {
    const w = this.whole, fit = (at, far, least, whole) => within(least - far / 2, at, least + whole - far / 2);
    this.view = { ...v, x: fit(v.x, v.width, w.x, w.width), y: fit(v.y, v.height, w.y, w.height) };
    this.isMoved = true;
    this.look();
  }

  // A place that is out of sight comes into it, and where it is wanted large, larger.
  centre(name, near) {
    const hit = this.at(name);
    if (!hit || !this.view || !(near || this.isOut(hit))) return;
    if (near && this.view.width > this.whole.width / 3) this.zoom(3 * this.view.width / this.whole.width);
    this.go({ ...this.view, x: hit.x - this.view.width / 2, y: hit.y - this.view.height / 2 });
  }

  inUnits(e) {
    const point = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  // -- mouse and fingers: click, draw a stack, move the board; two fingers zoom, one resting looks closer

  down(e) {
    this.fingers.set(e.pointerId, [e.clientX, e.clientY]);
    clearTimeout(this.holding);
    [this.way, this.drawn] = [0, null];
    if (this.fingers.size > 1) return;
    const at = this.under(e).at;
    if (e.pointerType === 'mouse') this.drawn = at && this.app.mayDraw(at) ? at : null;
    else this.holding = setTimeout(() => { this.before = this.view; this.zoom(CLOSER, this.inUnits(e)); }, HELD);
  }

  move(e) {
    const before = this.fingers.get(e.pointerId);
    if (!before) return this.rest(e);
    const dx = e.clientX - before[0], dy = e.clientY - before[1];
    this.way += Math.hypot(dx, dy);
    if (this.way < MOVED) return;
    clearTimeout(this.holding);
    this.frame.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (this.before) return this.point(this.under(e).at, true);
    if (this.drawn) return this.line(e);
    const other = [...this.fingers].find(([id]) => id !== e.pointerId)?.[1];
    if (!other) return this.go({ ...this.view, x: this.view.x - this.units(dx), y: this.view.y - this.units(dy) });
    const far = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
    this.zoom(far([e.clientX, e.clientY]) / far(before), this.inUnits({ clientX: (e.clientX + other[0]) / 2, clientY: (e.clientY + other[1]) / 2 }));
  }

  up(e) {
    const { at, names } = this.under(e);
    if (this.cancel(e)) this.app.struck(at, []);
    else if (this.way < MOVED) this.app.struck(at, e.pointerType === 'mouse' ? names : []);
    else if (this.drawn && at && at !== this.drawn) this.app.drawn(this.drawn, at);
  }

  // The finger is gone; true where the map had come closer.
  cancel(e) {
    const { before } = this;
    clearTimeout(this.holding);
    this.fingers.delete(e.pointerId);
    this.glow?.querySelector('.drawn')?.remove();
    if (before) this.go(before);
    this.before = null;
    return !!before;
  }

  line(e) {
    const from = this.at(this.drawn), [x, y] = this.inUnits(e);
    this.glow.querySelector('.drawn')?.remove();
    this.glow.append(...parsed(`<path d="M${from.x} ${from.y}L${x} ${y}" class="drawn"/>`));
  }

  rest(e) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.app.rested(this.under(e).at), RESTING);
  }

  // The place under the pointer or, if lit, near it, and what the counter there stands for.
  under(e) {
    const found = document.elementsFromPoint(e.clientX, e.clientY), places = found.map(one => one.closest('.hits [data-at]')?.dataset.at).filter(Boolean);
    const [x, y] = this.inUnits(e);
    let near = null, least = this.units(e.pointerType === 'touch' ? TOUCHED : SMALLEST);
    for (const [name] of this.lit) {
      const hit = this.at(name), far = hit ? Math.hypot(hit.x - x, hit.y - y) : Infinity;
      if (far < least) [near, least] = [hit.at, far];
    }
    const counter = found.map(one => one.closest('.stacks [data-unit]')).find(Boolean);
    return { at: places.find(at => this.isLit(at)) ?? near ?? places[0] ?? null, names: counter?.dataset.unit.split('|') ?? [] };
  }
}
