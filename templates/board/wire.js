// Talks to the program that serves this page. The key came behind the # of the address, which no browser sends on.

const STORE = 'pbem-key', JSON_TYPE = 'application/json', given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem(STORE, given);
  history.replaceState(null, '', '/');
}
const key = given || sessionStorage.getItem(STORE) || '';
export const hasKey = key !== '';

// `is`: refused, with problems in the program's sentences; changed: not the order file that this page has seen; gone: the
// program has stopped, or does not know this page.
export class Failed extends Error { constructor(is, told) { super(is); Object.assign(this, { is, ...told }); } }

const FAILED = { 409: 'changed', 413: 'refused', 422: 'refused' };
const heads = type => ({ 'X-Pbem-Key': key, 'Content-Type': type });

async function send(address, type, body) {
  const answer = await fetch(address, { method: 'POST', headers: heads(type), body, credentials: 'omit' }).catch(() => ({}));
  if (answer.status === 200) return answer.json();
  const is = FAILED[answer.status];
  throw new Failed(is ?? 'gone', is && await answer.json().catch(() => ({ problems: [String(answer.status)] })));
}

export const ask = (address, plain = {}) => send(address, JSON_TYPE, JSON.stringify(plain));
export const give = bytes => send('/receive', 'application/octet-stream', bytes);

// An answer at once, the page standing still: before printing nothing else is waited for. Null where there is none.
export function askNow(address, plain) {
  const asked = new XMLHttpRequest();
  asked.open('POST', address, false);
  for (const [name, value] of Object.entries(heads(JSON_TYPE))) asked.setRequestHeader(name, value);
  asked.send(JSON.stringify(plain));
  return asked.status === 200 ? JSON.parse(asked.responseText) : null;
}
