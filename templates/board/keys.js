// The keyboard: all that the mouse does. While somebody types, only Escape and Enter are ours.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function keys(app) {
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target.matches('input, textarea, select')) {
      if (e.key === 'Escape') e.target.blur();
      else if (e.key !== 'Enter' || e.target.id !== 'find') return;
      else app.chooseFound();
    } else {
      const work = !(e.target.matches('button, a, summary') && [' ', 'Enter'].includes(e.key)) && wanted(app, e.key);
      if (!work) return;
      app.run(work);
    }
    e.preventDefault();
  });
}

// What a key does, if it is ours.
function wanted(app, key) {
  const arrow = ARROWS[key], { screen } = app;
  if (key === '?') return () => app.to('help');
  if ('+-'.includes(key)) return () => app.map.zoom(key === '+' ? 1.4 : 1 / 1.4);
  if (screen === 'news' && arrow?.[0]) return () => app.scened(app.scene + arrow[0]);
  if (screen === 'review' && key === 'Enter') return () => app.send();
  if (screen !== 'orders') return key === 'Escape' && app.sheet ? () => app.toTurn() : null;
  if (arrow) return () => app.arrow(...arrow);
  if (/^[0-9]$/.test(key)) return () => app.act('count', { index: -1, number: Number(key) });
  return {
    n: () => app.around(1), p: () => app.around(-1), f: () => app.map.flash(), d: () => app.end(), e: () => app.added('/finish'), s: () => app.review(),
    enter: () => app.enter(), backspace: () => app.backspace(), escape: () => app.drop(), '/': () => document.getElementById('find')?.focus(),
  }[key.toLowerCase()];
}
