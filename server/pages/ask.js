// Asks the endpoints of this server, as any client does, and keeps the key of this tab.

const KEY = /^cattle_[0-9a-f]{72}$/;
const NAME = "cattle-key";

/** A refusal or failure, in words that say what to do. */
export class Refusal extends Error {
  constructor(message, status, answer = {}) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

export const heldKey = () => sessionStorage.getItem(NAME);
export const forgetKey = () => sessionStorage.removeItem(NAME);

/** Keeps a key for this tab; false for a text that is none. */
export function holdKey(text) {
  if (!KEY.test(text.trim())) return false;
  sessionStorage.setItem(NAME, text.trim());
  return true;
}

/** Takes a key out of the address, once: out of the bar and of this entry of the history. */
export function takeKeyFromAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key === null) return;
  history.replaceState(null, "", location.pathname);
  holdKey(key);
}

/** The answer of an endpoint, as JSON. Throws a `Refusal`. */
export async function ask(path, question = {}) {
  const given = Object.entries(question).filter(([, value]) => value != null && value !== "");
  const reply = await fetch(`${path}?${new URLSearchParams(given)}`, {headers: {"X-API-Key": heldKey() ?? ""}}).catch(() => {
    throw new Refusal("The server does not answer. Check your connection, then ask again.", 0);
  });
  const answer = await reply.json().catch(() => ({}));
  if (reply.ok) return answer;
  throw new Refusal(refusalWords(reply, answer), reply.status, answer);
}

function refusalWords({status, headers}, {detail}) {
  if (status === 403) return "This key is not accepted: it is mistyped, expired, or not for this question. Enter another, or ask the operator.";
  if (status === 429 || status === 503) return `${detail ?? "The server is busy."} Ask again in ${headers.get("Retry-After") ?? 5} seconds.`;
  return detail ?? `The server answered with an error (${status}). Ask again later.`;
}
