// The column beside the map: the question, picks and orders; other screens in their place.

import { button, el, h2, h3, list, press, say, sign, small, wrong } from './words.js';

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
const answers = (app, found) => el('div.verbs', found.map(a => press(a.text, () => app.added(a.address, a.body), { key: a.key })));

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

// -- other screens

export function inbox(app) {
  const row = g => [el('strong', g.name), g.mine && el('span.badge', say('your_turn')), el('span', g.at), el('span.small', g.waits)];
  const rows = app.games.map(g => el(g.mine ? 'li.mine' : 'li', press(row(g), () => app.opened(g.number), { disabled: g.wrong.length > 0, key: `game:${g.number}` })));
  return [h2('games'), el('ul.inbox', rows), receiving(app)];
}

function receiving(app) {
  const take = async files => { for (const file of files) await app.receive(await file.arrayBuffer()); };
  const area = el('textarea', { rows: 4, placeholder: say('drop_here'), 'aria-label': say('drop_here'), ondrop: e => { if (e.dataTransfer.files.length) { e.preventDefault(); app.run(() => take([...e.dataTransfer.files])); } } });
  return [el('details.receive', { open: !app.sheet?.mine }, el('summary', say('receive')), area, el('input', { type: 'file', multiple: true, 'aria-label': say('receive'), onchange: e => app.run(() => take(e.target.files)) }),
    button('receive', () => take([new Blob([area.value])]))), list('ul.small', app.received)];
}

export function news(app) {
  const scene = app.scenes[app.scene], on = (word, by, key) => button(word, () => app.scened(app.scene + by), { disabled: !app.scenes[app.scene + by], key });
  if (!scene) return [h2('news'), toTurn(app)];
  return [el('h2', `${scene.seq}. ${scene.player}`), small(scene.heading), el('div.row', on('back', -1, 'before'), el('span', `${app.scene + 1} / ${app.scenes.length}`), on('next', 1, 'next'), toTurn(app)), scene.blocks.map(block), el('p', scene.due)];
}

const toTurn = (app, word = 'to_turn', className = 'main') => button(word, () => app.toTurn(), { className, key: 'turn' });

function block(b) {
  const line = l => el(l.topic === 'loss' ? 'li.loss' : 'li', l.text, ' ', l.dice.map(d => el(d.hit ? 'span.die.hit' : 'span.die', String(d.face))), l.rule && el('span.rule', ` ${l.rule}`));
  const said = b.orders.length && el('details', { open: b.orders.length < 9 }, el('summary', say('orders')), list('ul', b.orders));
  return el(`section.${b.kind}`, b.title && el('h3', b.title), said, b.note.map(n => el('blockquote', { dir: 'auto' }, n)), b.lines.length && el('ul', b.lines.map(line)));
}

// -- sending

export function review(app) {
  const { groups, orders, left_out: left, due, button: words, final } = app.reviewed;
  const told = one => [one.text, one.at && press(say('show'), () => app.map.centre(one.at, true), { className: 'slim' })];
  return [h2('review'), groups.length ? groups.map(g => el(`section.given.${g.kind}`, el('h3', g.head), list('ul', g.told, told))) : el('p', say('nothing_lost')),
    h3('orders'), list('ol', orders), left.map(small), answers(app, app.sheet.answers), el('p', due), el('div.row', press(words, () => app.send(), { className: final ? 'main danger' : 'main', key: 'send' }), toTurn(app, 'keep_on', ''))];
}

export function sent(app) {
  const s = app.sentFile;
  const copy = button('copy', async () => { await navigator.clipboard.writeText(s.post); copy.textContent = say('copied'); });
  return [el('h2', s.told), el('p.file', s.file),
    el('div.row', s.post && copy, s.mails && button('mail_send', () => app.mailed()), s.link && el('a', { href: s.link }, say('mail'))),
    s.post && el('pre.post', { tabIndex: 0 }, s.post), el('p', s.due), app.together ? button('next', () => app.rest(), { className: 'main' }) : toTurn(app), receiving(app)];
}

// -- offers and their answers, resigning, standing orders: each is signed at a second press only

export function matters(app) {
  const { deals, standing } = app.matters;
  const deal = d => el('details', el('summary', d.text), press(d.sign, () => app.deal(d), { className: d.final ? 'main danger' : 'main', key: `deal:${d.id}` }));
  const rule = s => {
    const field = el('input', { value: s.value, 'aria-label': s.text, placeholder: s.now, key: `field:${s.kind}` });
    const usual = s.usual.map(([value, told]) => press(told, () => { field.value = value; field.focus(); }, { className: 'slim', key: `usual:${s.kind}:${value}` }));
    return el('li', el('strong', s.text), small(s.told), field, el('div.row', usual, button('write', async () => { await app.added('/stand', { kind: s.kind, value: field.value }); await app.openMatters(); }, { key: `write:${s.kind}` })));
  };
  return [h2('matters'), deals.length ? deals.map(deal) : small(say('no_deals')), standing.length && [h3('standing'), el('ul.standing', standing.map(rule))], toTurn(app, 'keep_on', '')];
}

// -- the rest

export function conflict(app) {
  const { mine, theirs, stamp } = app.changed, one = (head, text, word, kept) => [el('h3', say(head)), el('pre', { tabIndex: 0 }, text), button(word, () => app.settle(kept, stamp))];
  return [h2('conflict'), one('your_text', mine, 'use_mine', mine), one('their_text', theirs, 'use_theirs', null)];
}

export const help = app => [h2('help'), el('dl', app.keys.flatMap(([key, what]) => [el('dt', el('kbd', key)), el('dd', what)])), toTurn(app, 'keep_on', '')];

export function curtain(app) {
  const { next } = app;
  return el('div.curtain', el('h2', next ? say('curtain', { player: next }) : say('nothing_asked')), next ? button('show_hand', () => app.sitDown(), { className: 'main', key: 'sit' }) : el('p', app.games[0]?.due));
}
