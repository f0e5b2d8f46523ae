// The page's own words, as the program tells them, and elements made of text: nothing here reads markup.

const words = {};

export const learn = told => Object.assign(words, told);

export const say = (key, named = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (place, name) => named[name] ?? place);

// An element with properties and children; a text becomes a text node.
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name === 'data') Object.assign(made.dataset, value);
    else if (name === 'key') made.dataset.key = value;
    else if (name in made && name !== 'list') made[name] = value;
    else if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''));
  return made;
}

export const button = (text, act, given = {}) => el('button', { type: 'button', onclick: act, ...given }, text);

export const svg = (tag, given = {}, ...children) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
