// The page's own words, as the program tells them, and elements made of text: nothing here reads markup.

const words = {};
export const page = { run: work => work() }; // how the work of a button is done

export const learn = told => Object.assign(words, told);
export const say = (key, named = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (place, name) => named[name] ?? place);

// el('li.mine', {properties}, children): a text becomes a text node, what is empty is left out.
export function el(what, ...children) {
  const [tag, ...names] = what.split('.'), made = document.createElement(tag);
  made.className = names.join(' ');
  for (const [name, value] of Object.entries(children[0]?.constructor === Object ? children.shift() : {})) {
    if (name === 'key') made.dataset.key = value;
    else if (name in made) made[name] = value;
    else if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(Boolean));
  return made;
}

export const h2 = word => el('h2', say(word));
export const h3 = word => el('h3', say(word));
export const list = (what, items, made = item => item) => items.length && el(what, items.map(item => el('li', made(item))));
export const small = text => text && el('p.small', text);
export const wrong = lines => lines.length && el('ul.problems', { role: 'alert' }, lines.map(line => el('li', line)));

// A button with any text; one with a word of the page's own, known by that word.
export const press = (text, work, given) => el('button', { type: 'button', onclick: () => page.run(work), ...given }, text);
export const button = (word, work, given) => press(say(word), work, { key: word, ...given });

// One with a sign, told in words.
export const sign = (text, word, work, named, given) => press(text, work, { 'aria-label': say(word, named), title: say(word, named), key: word, ...given });
