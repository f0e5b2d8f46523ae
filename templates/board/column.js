// The column beside the map.

import { button, el, h3, list, press, say, sign, small, wrong } from './words.js';

const MOST = 80; // buttons at once; more are found by name
const TYPING = 300; // milliseconds

export function column(app) {
  const { sheet } = app;
  return [question(app), sheet.desk && [tabs(app), app.tab === 'text' ? textTab(app) : [picking(app), orders(app)]],
    sheet.hand.length && el('details.hand', el('summary', say('hand')), list('ul', sheet.hand))];
}

function question({ sheet, g }) {
  const asked = sheet.desk?.asked;
  if (!asked) return [el('h2', sheet.desk ? sheet.bar : say('nothing_asked')), small(sheet.due)];
  return [el('h2', `${sheet.bar} `, el('span.rule', asked.rule)), asked.scope && el('p', asked.scope), g.budget && el('p.budget', g.budget)];
}

function tabs(app) {
  return el('div.tabs', ['clicks', 'text'].map(name => button(name, () => app.openTab(name), { 'aria-pressed': String(app.tab === name), key: `tab:${name}` })));
}

// -- picking

// What answers the question at one press, or for good; what a hint proposes.
export const answers = (app, found) => el('div.verbs', found.map(a => press(a.text, () => app.added(a.address, a.body), { key: a.key })));

function picking(app) {
  const { g } = app, found = g.picks.filter(p => app.matches(p)), isBegun = g.chosen.length || g.instead >= 0;
  if (!app.isOn || (app.sheet.all && !isBegun)) return [answers(app, app.sheet.answers), small(g.note)];
  const verbs = g.verbs.map(p => press(p.name, () => app.choose({ slot: 'verb', ...p }), { title: p.says, 'aria-pressed': String(g.verb === p.value), className: p.ends ? 'ends' : '', key: `verb:${p.value}` }));
  const row = [button('step_back', () => app.act('back'), { key: 'back' }), button('drop', () => app.drop()), g.from && found.some(p => p.slot === 'unit') && button('everything', () => app.act('all'), { key: 'all' })];
  return el('section.gesture', app.desk.passed.map(small),
    g.instead < -1 && el('input', { placeholder: say('when'), 'aria-label': say('when'), value: g.partial.when, key: 'when', oninput: e => { g.partial.when = e.target.value; } }),
    g.instead >= 0 && el('p.budget', say('instead', { order: app.desk.orders.find(o => o.at === g.instead)?.text })),
    !isBegun && [small(app.sheet.some), answers(app, app.sheet.answers)],
    verbs.length && el('div.verbs', { role: 'group', 'aria-label': say('choose') }, verbs),
    g.chosen.length && el('ol.crumbs', { 'aria-label': say('chosen') }, g.chosen.map((c, i) => crumb(app, c, i))),
    g.before && press(say('here', { place: app.placeName(g.before.at) }), () => app.act('here'), { className: 'main', key: 'here' }),
    wrong(g.problems),
    isBegun && el('div.row', row),
    g.picks.length > 3 && el('input', { type: 'search', id: 'find', placeholder: say('find'), 'aria-label': say('find'), value: app.sought, key: 'find', oninput: e => app.seek(e.target.value) }),
    el('ul', { id: 'picks' }, found.slice(0, MOST).map(p => el('li', pick(app, p)))),
    (found.length > MOST || g.left) && small(say('many', { number: found.length + g.left })), small(g.note));
}

const pointed = (app, show) => ({ onmouseenter: show, onmouseleave: () => app.map.point(null, true) });

function pick(app, p) {
  const part = (what, text) => text && el(`span${what}`, ` ${text}`);
  return press([p.lead && el(`span.sign.${p.lead}`, { 'aria-hidden': 'true' }, p.sign), el('span', p.name), part('.cost', p.cost), part('.why', p.why), part('.why', p.says)], () => app.choose(p),
    { disabled: !!p.why, 'aria-label': p.heard, className: `pick ${p.slot}`, key: `${p.slot}:${p.value}`, 'data-at': p.at, ...pointed(app, () => app.map.point(p.at, true)) });
}

function crumb(app, c, index) {
  const change = (text, word, by) => sign(text, word, () => app.act('count', { index, number: c.count + by }), { unit: c.name }, { key: `${word}:${c.value}`, disabled: c.count + by > c.most });
  return el('li', c.most > 1 ? [change('−', 'fewer', -1), el('span', `${c.count} / ${c.most} ${c.name}`), change('+', 'more', 1)] : [el('span', c.name), index && change('×', 'fewer', -1)]);
}

// -- the orders of the file

function orders(app) {
  const { desk } = app.sheet;
  return el('section.orders', h3('orders'), desk.orders.length ? el('ol', desk.orders.map(o => order(app, o))) : small(say('no_orders')), wrong(desk.trouble),
    ...desk.left_out.map(small), button('hint', () => app.askOdds('hint')), el('div', { id: 'odds' }, odds(app)));
}

export const odds = (app, { lines = [], answers: found = [] } = app.odds) => [...lines.map((line, n) => n ? small(line) : el('h3', line)), answers(app, found)];

// An order: pointed at, it is shown on the map; pressed, it is picked anew.
function order(app, o) {
  const tool = (text, word, work) => sign(text, word, work, { order: o.text }, { key: `${word}:${o.at}` }), name = el('span', o.text);
  if (o.at < 0) return el('li', name);
  return el(o.stands ? 'li' : 'li.broken', pointed(app, () => app.showOrder(o)), name, tool('×', 'remove', () => app.remove(o.at)), o.stands && tool('✎', 'change', () => app.change(o)));
}

function textTab(app) {
  let waiting;
  return el('section', el('textarea', { id: 'text', spellcheck: false, rows: 18, value: app.typed ?? app.desk.text, 'aria-label': say('text'), key: 'text', oninput: e => {
    app.typed = e.target.value;
    clearTimeout(waiting);
    waiting = setTimeout(() => app.run(() => app.edit(app.typed)), TYPING);
  } }), troubled(app));
}

export const troubled = (app, { asked, trouble } = app.desk) => el('div', { id: 'trouble' }, wrong(trouble), trouble.length && !asked && answers(app, app.sheet.answers));
