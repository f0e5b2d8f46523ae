// The keyboard: everything that the mouse does. While somebody types, only Escape and Enter are ours.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function keys(app) {
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target.matches('input, textarea'), pressed = e.target.matches('button, a, summary');
    if (typing) {
      if (e.key === 'Escape') e.target.blur();
      else if (e.key !== 'Enter' || e.target.id !== 'find') return;
      else app.chooseFound();
      e.preventDefault();
    } else if (!(pressed && [' ', 'Enter'].includes(e.key)) && act(app, e.key)) e.preventDefault();
  });
}

function act(app, key) {
  if (key === '?') return app.showHelp();
  if (key === '+' || key === '-') return app.map.zoom(key === '+' ? 1.4 : 1 / 1.4), true;
  if (app.screen === 'news' && ARROWS[key]?.[0]) return app.showScene(Math.min(Math.max(app.scene + ARROWS[key][0], 0), app.scenes.length - 1)), true;
  if (app.screen === 'review' && key === 'Enter') return app.send(), true;
  if (app.screen !== 'orders') return key === 'Escape' && app.sheet ? (app.toTurn(), true) : false;
  if (ARROWS[key]) return app.arrow(...ARROWS[key]);
  if (/^[0-9]$/.test(key)) return app.digit(Number(key));
  switch (key) {
    case 'n': case 'N': return app.around(1);
    case 'p': case 'P': return app.around(-1);
    case 'f': case 'F': return app.map.flash(), true;
    case 'd': case 'D': return app.end();
    case 's': case 'S': return app.review(), true;
    case 'Enter': return app.enter();
    case 'Backspace': return app.backspace();
    case 'Escape': return app.drop(), true;
    case '/': return app.find();
  }
  return false;
}
