// The column beside the map: the question, what is picked, what can come next as real buttons, the orders, the text.

import { button, el, say } from './words.js';

const MOST = 80; // buttons at once; more are found by name
const GROUPS = ['unit', 'card', 'hq', 'power', 'number', 'word', 'with', 'by', 'target', 'at', 'via', 'to'];
const SIGNS = { attack: '⚔', land: '✈', retreat: '↩', base: '⌂', 'enters-zone': '◎' };
const TYPING = 300; // milliseconds

export function column(app) {
  const { sheet } = app;
  const parts = [app.notice(), question(sheet, app.gesture)];
  if (sheet.desk) parts.push(tabs(app), ...(app.tab === 'text' ? [textTab(app)] : [gesture(app), orders(app)]));
  if (sheet.hand.length) parts.push(el('details', { className: 'hand' }, el('summary', {}, say('hand')), el('ul', {}, sheet.hand.map(line => el('li', {}, line)))));
  return parts;
}

function question(sheet, gesture) {
  const asked = sheet.desk?.asked;
  if (!asked) return el('h2', {}, sheet.desk ? say('all_asked') : say('nothing_asked'), el('p', { className: 'small' }, sheet.due));
  const budget = gesture.step.budget;
  return el('div', {}, el('h2', {}, `${asked.seat}: ${asked.text} `, el('span', { className: 'rule' }, asked.rule)), asked.scope ? el('p', {}, asked.scope) : null, budget ? el('p', { className: 'budget' }, budget) : null);
}

function tabs(app) {
  const tab = name => button(say(name), () => app.openTab(name), { 'aria-pressed': String(app.tab === name), key: `tab:${name}` });
  return el('div', { className: 'tabs' }, tab('clicks'), tab('text'), app.sheet.desk.asked ? null : button(say('send'), () => app.review(), { className: 'main' }));
}

// -- picking

function gesture(app) {
  const g = app.gesture;
  if (!app.sheet.desk.asked) return '';
  const verbs = g.verbs.map(p => button(p.name, () => app.choose(p), { title: p.says, 'aria-pressed': String(g.verb === p.value), className: p.leads.includes('ends-phase') ? 'ends' : '', key: `verb:${p.value}` }));
  const here = g.before ? button(say('here', { place: app.placeName(g.before.at) }), () => app.goHere(), { className: 'main', key: 'here' }) : null;
  const crumbs = g.chosen.map((c, i) => crumb(app, c, i));
  const found = g.picks.filter(p => app.matches(p));
  const problems = [...g.step.problems, ...app.problems];
  return el('section', { className: 'gesture' },
    verbs.length ? el('div', { className: 'verbs', role: 'group', 'aria-label': say('choose') }, verbs) : null,
    crumbs.length ? el('ol', { className: 'crumbs', 'aria-label': say('chosen') }, crumbs) : null,
    here,
    problems.length ? el('ul', { className: 'problems', role: 'alert' }, problems.map(p => el('li', {}, p))) : null,
    g.isOpen ? el('div', { className: 'row' }, button(say('step_back'), () => app.back(), { key: 'back' }), button(say('drop'), () => app.drop(), { key: 'drop' }), g.from && found.some(p => p.slot === 'unit') ? button(say('everything'), () => app.all(g.from), { key: 'all' }) : null) : null,
    g.picks.length > 3 ? finder(app) : null,
    el('ul', { id: 'picks' }, sorted(found).slice(0, MOST).map(p => el('li', {}, pick(app, p)))),
    found.length > MOST || g.step.left ? el('p', { className: 'small' }, say('many', { number: found.length + g.step.left })) : null,
    g.step.note ? el('p', { className: 'small' }, g.step.note) : null);
}

const sorted = picks => [...picks].sort((a, b) => (GROUPS.indexOf(a.slot) + 1 || 99) - (GROUPS.indexOf(b.slot) + 1 || 99) || (a.why ? 1 : 0) - (b.why ? 1 : 0));

function finder(app) {
  return el('input', { type: 'search', id: 'find', placeholder: say('find'), 'aria-label': say('find'), value: app.sought, key: 'find', oninput: e => app.seek(e.target.value) });
}

function pick(app, p) {
  const lead = p.leads.find(l => l in SIGNS);
  return button([lead ? el('span', { className: `sign ${lead}`, 'aria-hidden': 'true' }, SIGNS[lead]) : null, el('span', {}, p.name), p.cost ? el('span', { className: 'cost' }, p.cost) : null, p.why ? el('span', { className: 'why' }, p.why) : null, p.says ? el('span', { className: 'why' }, p.says) : null],
    () => app.choose(p), { disabled: Boolean(p.why), 'aria-label': [p.name, lead && say(lead), p.cost, p.why, p.says].filter(Boolean).join(', '), className: `pick ${p.slot}`, key: `${p.slot}:${p.value}`, data: { at: p.at }, onmouseenter: () => app.hover(p.at), onmouseleave: () => app.hover(null) });
}

function crumb(app, c, i) {
  const counts = c.most > 1;
  const less = counts ? button('−', () => app.count(i, c.count - 1), { 'aria-label': say('fewer', { unit: c.name }), key: `less:${c.value}` }) : null;
  const more = counts ? button('+', () => app.count(i, c.count + 1), { 'aria-label': say('more', { unit: c.name }), disabled: c.count >= c.most, key: `more:${c.value}` }) : null;
  return el('li', {}, less, el('span', {}, counts ? `${c.count} / ${c.most}  ` : '', counts ? c.name.replace(/^\d+\s/, '') : c.name), more);
}

// -- the orders of the file

function orders(app) {
  const { desk } = app.sheet;
  const told = [...desk.left_out.map(left => `${say('line', { number: left.line })}: ${left.text}`)];
  return el('section', { className: 'orders' }, el('h3', {}, say('orders')),
    desk.orders.length ? el('ol', {}, desk.orders.map(o => order(app, o))) : el('p', { className: 'small' }, say('no_orders')),
    trouble(desk.trouble), told.map(line => el('p', { className: 'small' }, line)),
    el('div', { id: 'odds' }, odds(app)));
}

export const odds = app => app.odds.length ? [el('h3', {}, say('odds')), ...app.odds.map(line => el('p', { className: 'small' }, line))] : [];

function order(app, o) {
  return el('li', { className: o.stands ? '' : 'broken' }, el('span', {}, o.text), o.at < 0 ? null : button('×', () => app.remove(o.at), { 'aria-label': say('remove', { order: o.text }), title: say('remove', { order: o.text }), key: `remove:${o.at}` }));
}

const trouble = found => found ? el('p', { className: 'problems', role: 'alert' }, found.line ? `${say('line', { number: found.line })}: ` : '', found.told.join('; ')) : null;

function textTab(app) {
  let waiting;
  const area = el('textarea', { id: 'text', spellcheck: false, rows: 18, value: app.typed ?? app.sheet.desk.text, 'aria-label': say('text'), key: 'text' });
  const under = el('div', {}, trouble(app.sheet.desk.trouble));
  area.addEventListener('input', () => {
    app.typed = area.value;
    clearTimeout(waiting);
    waiting = setTimeout(() => app.edit(area.value).then(() => under.replaceChildren(trouble(app.sheet.desk?.trouble) ?? '')), TYPING);
  });
  return el('section', {}, area, under);
}
