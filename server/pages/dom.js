// Makes elements. Every value becomes a text node in a bidi-isolated element; nothing is ever parsed as HTML.

/** An element with attributes and children; texts become text nodes. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value != null && value !== false) made.setAttribute(key, value);
  made.append(...children.flat().filter((child) => child != null));
  return made;
}

/** A value out of data: control and direction characters as symbols, isolated from the text around it. */
export function datum(value) {
  return element("bdi", {}, visible(value));
}

/** The text with characters that act on the text around them replaced by visible symbols. */
export function visible(value) {
  return [...String(value)].map((sign) => (sign < " " ? String.fromCharCode(0x2400 + sign.charCodeAt(0)) : actsOnText.test(sign) ? "\ufffd" : sign)).join("");
}

/** Other control characters, those that set or mark a direction, those without width, and lone surrogates. */
const actsOnText = /[\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/u;

const documentHosts = ["mymarketnews.ams.usda.gov"];

/** A link out of data, if it leads to a host of the registry over https; else its text. */
export function outLink(address, text) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "https:" || !documentHosts.includes(url.host)) return datum(text);
  return element("a", {href: url.href, rel: "noopener noreferrer", target: "_blank"}, datum(text));
}

/** A table with a caption; a column is {head, cell, number?}, a cell a text, a node or null. */
export function table(caption, columns, rows) {
  const heads = columns.map(({head, number}) => element("th", {scope: "col", class: number && "number"}, head));
  const body = rows.map((row) =>
    element(
      "tr",
      {},
      columns.map(({cell, number}) => element("td", {class: number && "number"}, shown(cell(row)))),
    ),
  );
  const parts = [element("caption", {}, caption), element("thead", {}, element("tr", {}, heads)), element("tbody", {}, body)];
  return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption}, element("table", {}, parts));
}

function shown(value) {
  return value == null || value === "" ? "–" : value instanceof Node ? value : isDate(value) ? element("span", {class: "date"}, value) : datum(value);
}

const isDate = (value) => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** A labelled field of a form: a choice where it has options, else an input. */
export function field({name, label, options, value = "", wide, ...input}) {
  const id = `field-${name}`;
  const control =
    options === undefined
      ? element("input", {id, name, value, autocomplete: "off", ...input})
      : element(
          "select",
          {id, name},
          options.map(([key, text]) => element("option", {value: key, selected: key === value}, text)),
        );
  return element("div", {class: wide ? "field wide" : "field"}, element("label", {for: id}, label), control);
}

export const money = (value) => (value == null ? null : value.toLocaleString("en-US", {minimumFractionDigits: 2, maximumFractionDigits: 2}));
export const count = (value) => (value == null ? null : value.toLocaleString("en-US"));
