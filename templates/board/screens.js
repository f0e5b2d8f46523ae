// What stands in the column in the place of the orders: games, news, sending, sent, changed elsewhere, keys, who sits there.

import { button, el, say } from './words.js';

export function inbox(app) {
  const rows = app.games.map(g => el('li', { className: g.mine ? 'mine' : '' },
    button([el('strong', {}, g.name), g.mine ? el('span', { className: 'badge' }, say('your_turn')) : null, el('span', {}, [g.title, g.heading].filter(Boolean).join(', ')), el('span', { className: 'small' }, [g.due, g.received && !g.over ? say('since', { time: g.received }) : '', ...(g.deadline ?? []), ...g.wrong].filter(Boolean).join(' '))],
      () => app.open(g.number), { disabled: g.wrong.length > 0, key: `game:${g.number}` })));
  return [el('h2', {}, say('games')), app.notice(), el('ul', { className: 'inbox' }, rows), receiving(app)];
}

export function receiving(app) {
  const area = el('textarea', { rows: 4, placeholder: say('drop_here'), 'aria-label': say('drop_here') });
  const take = bytes => app.receive(bytes);
  area.addEventListener('drop', async e => {
    if (!e.dataTransfer.files.length) return;
    e.preventDefault();
    for (const file of e.dataTransfer.files) await take(await file.arrayBuffer());
  });
  return el('details', { className: 'receive', open: !app.sheet?.mine }, el('summary', {}, say('receive')), area,
    el('input', { type: 'file', multiple: true, 'aria-label': say('receive'), onchange: async e => { for (const file of e.target.files) await take(await file.arrayBuffer()); } }),
    button(say('receive'), () => take(new TextEncoder().encode(area.value)), { key: 'receive' }),
    el('ul', { className: 'small' }, app.received.map(line => el('li', {}, line))));
}

// -- what happened

export function news(app) {
  const scene = app.scenes[app.scene], last = app.scenes.length - 1;
  const go = number => () => app.showScene(Math.min(Math.max(number, 0), last));
  if (!scene) return [el('h2', {}, say('news')), toTurn(app)];
  return [
    el('h2', {}, `${scene.seq}. ${scene.player}`), el('p', { className: 'small' }, scene.heading),
    el('div', { className: 'row' }, button(say('back'), go(app.scene - 1), { disabled: app.scene === 0, key: 'before' }), el('span', {}, `${app.scene + 1} / ${last + 1}`), button(say('next'), go(app.scene + 1), { disabled: app.scene === last, key: 'next' }), toTurn(app)),
    ...scene.blocks.map(block), el('p', {}, scene.due)];
}

const toTurn = app => button(say('to_turn'), () => app.toTurn(), { className: 'main', key: 'turn' });

function block(b) {
  const lines = b.lines.map(l => el('li', { className: l.topic === 'loss' ? 'loss' : '' }, l.text, ' ', l.dice.map(d => el('span', { className: d.hit ? 'die hit' : 'die' }, String(d.face))), l.rule ? el('span', { className: 'rule' }, ` ${l.rule}`) : null));
  const said = b.orders.length ? el('details', { open: b.orders.length < 9 }, el('summary', {}, say('orders')), el('ul', {}, b.orders.map(o => el('li', {}, o)))) : null;
  return el('section', { className: b.kind }, b.title ? el('h3', {}, b.title) : null, said, b.note.map(n => el('blockquote', { dir: 'auto' }, n)), lines.length ? el('ul', {}, lines) : null);
}

// -- sending

export function review(app) {
  const { groups, orders, left_out: left, due, button: words } = app.reviewed;
  const told = one => el('li', {}, one.text, one.at ? button(say('show'), () => app.map.centre(one.at, true), { className: 'slim' }) : null);
  return [el('h2', {}, say('review')), app.notice(),
    groups.length ? groups.map(g => el('section', { className: `given ${g.kind}` }, el('h3', {}, g.head), el('ul', {}, g.told.map(told)))) : el('p', {}, say('nothing_lost')),
    el('h3', {}, say('orders')), el('ol', {}, orders.map(o => el('li', {}, o))), left.map(line => el('p', { className: 'small' }, line)), el('p', {}, due),
    el('div', { className: 'row' }, button(words, () => app.send(), { className: app.reviewed.final ? 'main danger' : 'main', key: 'send' }), button(say('keep_on'), () => app.toTurn(), { key: 'keep_on' }))];
}

export function sent(app) {
  const s = app.sentFile;
  const mail = s.mailable ? el('a', { href: `mailto:?subject=${encodeURIComponent(`[pbem] ${app.sheet.title}, ${s.seq}`)}&body=${encodeURIComponent(s.post)}` }, say('mail')) : null;
  const copy = button(say('copy'), async () => { await navigator.clipboard.writeText(s.post); copy.textContent = say('copied'); }, { key: 'copy' });
  return [el('h2', {}, `${say('sent')}: ${s.seq}`), app.notice(), el('p', { className: 'file' }, s.file), el('div', { className: 'row' }, copy, mail), el('pre', { className: 'post' }, s.post),
    el('p', {}, s.due), app.together ? button(say('next'), () => app.curtain(), { className: 'main' }) : toTurn(app), receiving(app)];
}

// -- the rest

export function conflict(app) {
  const { mine, theirs, stamp } = app.changed;
  return [el('h2', {}, say('conflict')), el('h3', {}, say('your_text')), el('pre', {}, mine), button(say('use_mine'), () => app.settle(mine, stamp), { key: 'mine' }),
    el('h3', {}, say('their_text')), el('pre', {}, theirs), button(say('use_theirs'), () => app.settle(null, stamp), { key: 'theirs' })];
}

export function help(app) {
  const keys = [['N P F', 'help_units'], ['← → ↑ ↓', 'help_arrows'], ['Enter', 'help_enter'], ['0 – 9', 'help_digits'], ['Backspace', 'help_back'], ['Esc', 'help_escape'], ['/', 'help_find'], ['D', 'help_done'], ['S', 'help_send'], ['+ −', 'help_zoom']];
  return [el('h2', {}, say('help')), el('dl', {}, keys.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, say(what))])), button(say('keep_on'), () => app.toTurn(), { key: 'keep_on' })];
}

export function curtain(app) {
  return [el('div', { className: 'curtain' }, el('h2', {}, app.nextUp ? say('curtain', { player: app.nextUp }) : say('nothing_asked')), app.notice(), app.nextUp ? button(say('show_hand'), () => app.sitDown(), { className: 'main', key: 'sit' }) : el('p', {}, app.games[0]?.due ?? ''))];
}
