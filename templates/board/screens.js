// What stands in the column in the place of the orders.

import { answers } from './column.js';
import { button, el, h2, h3, list, press, say, small } from './words.js';

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
