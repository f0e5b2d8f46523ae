// The column beside the map: the question, what is picked, what can come next as real buttons, the orders, the text.

import { button, el, list, press, say, small, wrong } from './words.js';

const MOST = 80; // buttons at once; more are found by name
const GROUPS = ['unit', 'card', 'hq', 'power', 'number', 'word', 'with', 'by', 'target', 'at', 'via', 'to'];
const SIGNS = { attack: '⚔', land: '✈', retreat: '↩', base: '⌂', 'enters-zone': '◎' };
const TYPING = 300; // milliseconds
export const bare = name => name.replace(/^\d+\s/, ''); // without the number of them

export function column(app) {
  const { sheet } = app;
  return [app.notice(), ...question(app), ...(sheet.desk ? [tabs(app), ...(app.tab === 'text' ? [textTab(app)] : [gesture(app), orders(app)])] : []),
    sheet.hand.length ? el('details.hand', el('summary', say('hand')), list('ul', sheet.hand)) : null];
}

function question({ sheet, gesture }) {
  const asked = sheet.desk?.asked;
  if (!asked) return [el('h2', say(sheet.desk ? 'all_asked' : 'nothing_asked')), small(sheet.due)];
  return [el('h2', `${asked.seat}: ${asked.text} `, el('span.rule', asked.rule)), asked.scope ? el('p', asked.scope) : null, gesture.step.budget ? el('p.budget', gesture.step.budget) : null];
}

function tabs(app) {
  const tab = name => button(name, () => app.openTab(name), { 'aria-pressed': String(app.tab === name), key: `tab:${name}` });
  return el('div.tabs', tab('clicks'), tab('text'), app.sheet.desk.asked ? null : button('send', () => app.review(), { className: 'main' }));
}

// -- picking

function gesture(app) {
  const g = app.gesture, found = g.picks.filter(p => app.matches(p));
  if (!app.sheet.desk.asked && g.instead < 0) return null;
  const verbs = g.verbs.map(p => press(p.name, () => app.choose(p), { title: p.says, 'aria-pressed': String(g.verb === p.value), className: p.leads.includes('ends-phase') ? 'ends' : '', key: `verb:${p.value}` }));
  const row = [button('step_back', () => app.back(), { key: 'back' }), button('drop', () => app.drop()), g.from && found.some(p => p.slot === 'unit') ? button('everything', () => g.all(g.from), { key: 'all' }) : null];
  return el('section.gesture',
    g.instead < 0 ? null : el('p.budget', say('instead', { order: app.entry(g.instead).text })),
    verbs.length ? el('div.verbs', { role: 'group', 'aria-label': say('choose') }, verbs) : null,
    g.chosen.length ? el('ol.crumbs', { 'aria-label': say('chosen') }, g.chosen.map((c, i) => crumb(app, c, i))) : null,
    g.before ? press(say('here', { place: app.placeName(g.before.at) }), () => app.goHere(), { className: 'main', key: 'here' }) : null,
    wrong([...g.step.problems, ...app.problems]),
    g.isOpen || g.instead >= 0 ? el('div.row', row) : null,
    g.picks.length > 3 ? el('input', { type: 'search', id: 'find', placeholder: say('find'), 'aria-label': say('find'), value: app.sought, key: 'find', oninput: e => app.seek(e.target.value) }) : null,
    el('ul', { id: 'picks' }, sorted(found).slice(0, MOST).map(p => el('li', pick(app, p)))),
    found.length > MOST || g.step.left ? small(say('many', { number: found.length + g.step.left })) : null, small(g.step.note));
}

const sorted = picks => [...picks].sort((a, b) => (GROUPS.indexOf(a.slot) + 1 || 99) - (GROUPS.indexOf(b.slot) + 1 || 99) || Boolean(a.why) - Boolean(b.why));

function pick(app, p) {
  const lead = p.leads.find(l => l in SIGNS), part = (what, text) => text ? el(`span${what}`, text) : null;
  return press([lead ? el(`span.sign.${lead}`, { 'aria-hidden': 'true' }, SIGNS[lead]) : null, el('span', p.name), part('.cost', p.cost), part('.why', p.why), part('.why', p.says)], () => app.choose(p),
    { disabled: Boolean(p.why), 'aria-label': [p.name, lead && say(lead), p.cost, p.why, p.says].filter(Boolean).join(', '), className: `pick ${p.slot}`, key: `${p.slot}:${p.value}`, 'data-at': p.at, ...app.pointing(p.at) });
}

function crumb(app, c, i) {
  const change = (word, sign, by, given) => press(sign, () => app.gesture.count(i, c.count + by), { 'aria-label': say(word, { unit: c.name }), key: `${word === 'more' ? 'more' : 'less'}:${c.value}`, ...given });
  return el('li', c.most > 1 ? [change('fewer', '−', -1), el('span', `${c.count} / ${c.most}  ${bare(c.name)}`), change('more', '+', 1, { disabled: c.count >= c.most })] : el('span', c.name));
}

// -- the orders of the file

function orders(app) {
  const { desk } = app.sheet;
  return el('section.orders', el('h3', say('orders')), desk.orders.length ? el('ol', desk.orders.map(o => order(app, o))) : small(say('no_orders')), trouble(desk.trouble),
    ...desk.left_out.map(left => small(`${say('line', { number: left.line })}: ${left.text}`)), el('div', { id: 'odds' }, odds(app)));
}

export const odds = app => app.odds.length ? [el('h3', say('odds')), ...app.odds.map(small)] : [];

// An order: pointed at, it is shown on the map; pressed, it is picked anew.
function order(app, o) {
  const tool = (word, sign, work) => press(sign, work, { 'aria-label': say(word, { order: o.text }), title: say(word, { order: o.text }), key: `${word}:${o.at}` });
  return el(o.stands ? 'li' : 'li.broken', o.at < 0 ? {} : { onmouseenter: () => app.showOrder(o), onmouseleave: () => app.map.point(null, true) }, el('span', o.text), o.at < 0 ? null : [tool('remove', '×', () => app.remove(o.at)), o.stands ? tool('change', '✎', () => app.change(o)) : null]);
}

const trouble = found => found ? el('p.problems', { role: 'alert' }, found.line ? `${say('line', { number: found.line })}: ` : '', found.told.join('; ')) : null;

function textTab(app) {
  let waiting;
  const under = el('div', trouble(app.sheet.desk.trouble));
  const checked = async text => { await app.edit(text); under.replaceChildren(trouble(app.sheet.desk?.trouble) ?? ''); };
  return el('section', el('textarea', { id: 'text', spellcheck: false, rows: 18, value: app.typed ?? app.sheet.desk.text, 'aria-label': say('text'), key: 'text', oninput: e => {
    app.typed = e.target.value;
    clearTimeout(waiting);
    waiting = setTimeout(() => app.run(() => checked(e.target.value)), TYPING);
  } }), under);
}
