// Talks to the program that serves this page. The key came behind the # of the address, which no browser sends on.

const STORE = 'pbem-key';
const given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem(STORE, given);
  history.replaceState(null, '', '/');
}
const key = given || sessionStorage.getItem(STORE) || '';

export const hasKey = key !== '';

// What the program refuses, in its sentences.
export class Refused extends Error {
  constructor(problems) { super(problems.join('\n')); this.problems = problems; }
}

// The order file is not the one that this page has seen.
export class Changed extends Error {
  constructor({ theirs, stamp }) { super('changed'); this.theirs = theirs; this.stamp = stamp; }
}

// The program has stopped, or does not know this page.
export class Gone extends Error {}

async function send(address, type, body) {
  let answer;
  try {
    answer = await fetch(address, { method: 'POST', headers: { 'X-Pbem-Key': key, 'Content-Type': type }, body, credentials: 'omit' });
  } catch { throw new Gone(); }
  if (answer.status === 200) return answer.json();
  if (answer.status === 409) throw new Changed(await answer.json());
  if (answer.status === 422) throw new Refused((await answer.json()).problems);
  if (answer.status === 413) throw new Refused(['413']);
  throw new Gone();
}

export const ask = (address, plain = {}) => send(address, 'application/json', JSON.stringify(plain));
export const give = bytes => send('/receive', 'application/octet-stream', bytes);
