// Talks to the program that serves this page. The key came behind the # of the address, which no browser sends on.

const STORE = 'pbem-key', given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem(STORE, given);
  history.replaceState(null, '', '/');
}
const key = given || sessionStorage.getItem(STORE) || '';
export const hasKey = key !== '';

// Refused: `problems` in the program's sentences; not the order file that this page has seen: `theirs`, its text; neither: the
// program has stopped, or does not know this page.
export class Failed { constructor(told) { Object.assign(this, told); } }

async function send(address, type, body) {
  const answer = await fetch(address, { method: 'POST', headers: { 'X-Pbem-Key': key, 'Content-Type': type }, body, credentials: 'omit' }).catch(() => null);
  if (answer?.ok) return answer.json();
  throw new Failed(answer?.status > 403 && await answer.json().catch(() => ({ problems: [answer.statusText] })));
}

export const ask = (address, plain = {}) => send(address, 'application/json', JSON.stringify(plain));
export const give = bytes => send('/receive', 'application/octet-stream', bytes);
