// Makes elements, and the words of prices. Every value becomes a text node in a bidi-isolated element; nothing is ever parsed as HTML.

/** An element with attributes and children; texts become text nodes. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value != null && value !== false) made.setAttribute(key, value);
  made.append(...children.flat().filter(Boolean));
  return made;
}

/** A value out of data: control and direction characters as symbols, isolated from the text around it. */
export const datum = (value) => element("bdi", {}, visible(value));
export const paragraph = (kind, text) => text && element("p", {class: kind}, datum(text));
export const section = (title, ...children) => element("section", {}, element("h2", {}, datum(title)), ...children);

/** The text with characters that act on the text around them replaced by visible symbols. */
export function visible(value) {
  return [...String(value)].map((sign) => (sign < " " ? String.fromCharCode(0x2400 + sign.charCodeAt(0)) : actsOnText.test(sign) ? "\ufffd" : sign)).join("");
}

/** Other control characters, those that set or mark a direction, those without width, and lone surrogates. */
const actsOnText = /[\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/u;

const documentHosts = ["mymarketnews.ams.usda.gov", "www.ams.usda.gov"];

/** A link out of data, if it leads to a publisher's host over https; else its text. */
export function outLink(address, text) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "https:" || !documentHosts.includes(url.host)) return datum(text);
  return element("a", {href: url.href, rel: "noopener noreferrer", target: "_blank"}, datum(text));
}

/** A table of rows `{head: value}`, each value a text, a number or a node; the sentence `none` without rows. */
export function table(caption, rows, none = "Nothing is known here.") {
  if (rows.length === 0) return paragraph("notice", none);
  const heads = Object.keys(rows[0]);
  const cell = (row, head) => element("td", {class: kindOf(row[head])}, shown(row[head]));
  const headLine = heads.map((head) => element("th", {scope: "col", class: rows.every((row) => row[head] == null || kindOf(row[head]) === "number") && "number"}, head));
  const lines = rows.map((row) => heads.map((head) => cell(row, head))).map((cells) => element("tr", {}, cells));
  const parts = [element("caption", {}, caption), element("thead", {}, element("tr", {}, headLine)), element("tbody", {}, lines)];
  return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption}, element("table", {}, parts));
}

/** Numbers and prices stand to the right, dates and ranges on one line, and sentences have room. */
function kindOf(value) {
  if (typeof value === "number" || /^-?[\d,]+(\.\d+( USD (per|a) .+)?| head| pairs?)$/.test(value)) return "number";
  return /^[\d-]+( to [\d-]+)?$/.test(value) ? "span" : (value?.textContent ?? value)?.length > 30 && "long";
}

const shown = (value) => (value == null || value === "" ? "–" : value instanceof Node ? value : datum(typeof value === "number" ? count(value) : value));

/** The limitations of an answer, with its build. */
export function limits({limitations = [], build_id: build, buildId = build}) {
  const items = limitations.map((text) => element("li", {}, datum(text)));
  return element("details", {open: ""}, element("summary", {}, "Limits of this answer", buildId && ` (build ${visible(buildId)})`), element("ul", {}, items));
}

export const sourceName = (sources, id) => sources?.find((each) => each.id === id)?.name ?? id;

/** A button that puts a text on the clipboard. */
export function copyButton(words, text) {
  const button = element("button", {type: "button", class: "quiet"}, words);
  button.addEventListener("click", async () => {
    // Without https a browser gives no clipboard.
    if (navigator.clipboard === undefined) return prompt("Copy this text:", visible(text));
    await navigator.clipboard.writeText(visible(text));
    button.replaceChildren("Copied");
  });
  return button;
}

export const money = (value) => value?.toLocaleString("en-US", {minimumFractionDigits: 2, maximumFractionDigits: 2});
export const count = (value) => value?.toLocaleString("en-US");

const units = {per_cwt: "USD per cwt", per_head: "USD a head", per_pair: "USD a pair"};
export const unitOf = ({price_unit: unit, price_basis: basis}) => `${units[unit]}${basis === "nearest_market_estimate" ? ", an estimate" : ""}`;
export const priceOf = (record) => (record.price_avg == null ? undefined : `${money(record.price_avg)} ${unitOf(record)}`);

/** The animals behind a price, of an estimate those of the markets that it is made of. */
export const headOf = ({price_unit: unit, head_count: own, contributing_head: others}, head = own ?? others) =>
  head == null ? undefined : `${count(head)} ${unit !== "per_pair" ? "head" : head === 1 ? "pair" : "pairs"}`;

/** The cattle of a record, by all that its price is for: `slaughter cows boner, average dressing`. */
export function cattleOf({commodity, class: kind, frame, muscle_grade: muscle, quality_grade: quality, weight_bin: bin, lot_descriptors: lots = [], ...one}) {
  const {dressing, age_class: age, pregnancy_stage: stage, offspring_weight: calf, delivery, freight, lot_description: text} = one;
  const ofDairy = commodity === "dairy_calves" && kind !== "baby_calves" && `feeder dairy ${kind.replace(/^dairy_|s$/g, "")} calves`;
  const use = {feeder_cattle: "feeder", slaughter_cattle: "slaughter", replacement_cattle: kind === "bulls" && "breeding"}[commodity];
  const traits = [bin && `${bin} lb`, dressing && `${dressing} dressing`, age && `aged ${age}`, stage && `stage ${stage}`, calf && `calves ${calf} lb`];
  traits.push(...lots.map((lot) => (lot === "other" && text ? `"${text}"` : lot)), delivery && `${delivery} delivery`, freight);
  return [[use, ofDairy || kind, frame, muscle, quality].filter(Boolean).join(" "), ...traits].filter(Boolean).join(", ").replaceAll("_", " ");
}
