// Talks to the program that serves this page. The key came behind the # of the address, which no browser sends on.

const STORE = 'pbem-key', given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem(STORE, given);
  history.replaceState(null, '', '/');
}
const key = given || sessionStorage.getItem(STORE) || '';
export const hasKey = key !== '';

export class Refused extends Error { constructor(problems) { super(problems.join('\n')); this.problems = problems; } } // in the program's sentences
export class Changed extends Error { constructor(told) { super('changed'); Object.assign(this, told); } } // not the order file that this page has seen
export class Gone extends Error {} // the program has stopped, or does not know this page

const heads = type => ({ 'X-Pbem-Key': key, 'Content-Type': type });

async function send(address, type, body) {
  const answer = await fetch(address, { method: 'POST', headers: heads(type), body, credentials: 'omit' }).catch(() => { throw new Gone(); });
  if (answer.status === 200) return answer.json();
  if (answer.status === 409) throw new Changed(await answer.json());
  if (answer.status === 422) throw new Refused((await answer.json()).problems);
  throw answer.status === 413 ? new Refused(['413']) : new Gone();
}

export const ask = (address, plain = {}) => send(address, 'application/json', JSON.stringify(plain));
export const give = bytes => send('/receive', 'application/octet-stream', bytes);

// An answer at once, the page standing still: before printing nothing else is waited for. Null where there is none.
export function askNow(address, plain) {
  const asked = new XMLHttpRequest();
  try {
    asked.open('POST', address, false);
    for (const [name, value] of Object.entries(heads('application/json'))) asked.setRequestHeader(name, value);
    asked.send(JSON.stringify(plain));
    return asked.status === 200 ? JSON.parse(asked.responseText) : null;
  } catch { return null; }
}
