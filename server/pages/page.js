// The page: which question is open, the key, and what happens when a question is asked.
import {ask, forgetKey, heldKey, holdKey, takeKeyFromAddress} from "./ask.js";
import * as coverage from "./coverage.js";
import {copyButton} from "./dom.js";
import * as land from "./land.js";
import * as prices from "./prices.js";

const views = {prices, land, coverage};
const part = (id) => document.getElementById(id);
/** Only the newest question may show its answer. */
let asking = 0;

/** The open view and its question, from the fragment: `#prices?place=85326&class=steers`. */
function opened() {
  const [name, question = ""] = location.hash.slice(1).split("?");
  return {name: Object.hasOwn(views, name) ? name : "prices", asked: Object.fromEntries(new URLSearchParams(question))};
}

function tell(words, isProblem = false) {
  part("status").className = isProblem ? "problem" : "";
  part("status").replaceChildren(words);
}

async function show() {
  const turn = ++asking;
  const {name, asked} = opened();
  const hasKey = heldKey() !== null;
  part("key-form").hidden = hasKey;
  part("forget").hidden = !hasKey;
  part("welcome").hidden = hasKey;
  for (const link of document.querySelectorAll("nav a")) link.ariaCurrent = link.hash === `#${name}` ? "page" : null;
  for (const form of part("main").querySelectorAll("form")) form.hidden = !hasKey || form.name !== name;
  part("answer").replaceChildren();
  if (!hasKey) return tell("Enter your key to ask a question.");
  const form = document.forms[name];
  form.reset();
  for (const input of form.querySelectorAll("[name]")) if (asked[input.name] !== undefined) input.value = asked[input.name];
  if (name !== "coverage" && !asked.place && !asked.text) return tell("Fill in the form and ask.");
  tell("Asking …");
  try {
    const nodes = await views[name].answer(asked);
    if (turn !== asking) return;
    part("answer").replaceChildren(...nodes.filter(Boolean), copyButton("Copy link, without the key", location.href));
    tell("");
  } catch (error) {
    if (turn !== asking) return;
    if (error.status === 403) part("key-form").hidden = false;
    tell(error.status === undefined ? "This page could not show the answer. Reload it, or ask again." : error.message, true);
  }
}

part("main").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = [...new FormData(event.target)].filter(([, value]) => value.trim() !== "");
  const hash = `#${event.target.name}?${new URLSearchParams(given)}`;
  if (location.hash === hash) show();
  else location.hash = hash;
});
part("key-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const isKey = holdKey(part("key").value);
  part("key").value = "";
  if (!isKey) return tell("This is not a key: a key is cattle_ and 72 characters from 0 to 9 and a to f.", true);
  tell("Asking …");
  await ask("/coverage", {state: "TX"}).then(show, (error) => {
    if (error.status === 403) forgetKey();
    tell(error.message, true);
  });
});
part("forget").addEventListener("click", () => {
  forgetKey();
  show();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  part("main").focus();
});
addEventListener("hashchange", () => {
  takeKeyFromAddress();
  show();
});

takeKeyFromAddress();
show();
