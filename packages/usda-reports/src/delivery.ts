import {plainText, snakeCase} from "./plain-text.ts";

const monthWord =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/i;

/**
 * Delivery of a video or direct trade: `current`, or its first and last month as `nov` or `sep-oct`. `months` is the report's
 * text (`Current`, `Sep-Oct`, `Oct - Nov`), `isCurrent` its yes/no column. Named months win, so that a forward price never
 * counts as current. Null if nothing is stated; undefined for a text that is no delivery and for a forward trade without
 * months.
 */
export function deliveryOf(months: string | null, isCurrent: string | null): string | null | undefined {
  const text = plainText(months);
  const flag = plainText(isCurrent)?.toLowerCase() ?? null;
  const current = flag === null ? null : /^(y|yes|true|1|current)$/.test(flag);
  if (text === null) return current === null ? null : current ? "current" : undefined;
  if (/^current$/i.test(text)) return current === false ? undefined : "current";
  const words = text.split(/[^A-Za-z]+/).filter((word) => word !== "");
  if (words.length === 0 || words.length > 2 || !words.every((word) => monthWord.test(word)))
    return undefined;
  return [...new Set(words.map((word) => word.slice(0, 3).toLowerCase()))].join("-");
}

/** Splits a printed label such as `Current FOB`, `Dec DEL` or `Sep-Oct` into delivery and freight, as printed. */
export function splitLabel(label: string): {delivery: string; freight: string | null} {
  const match = /^(.*?)\s*\b(FOB|F\.O\.B\.|DEL|DELIVERED)$/i.exec(label.trim());
  return match === null ? {delivery: label.trim(), freight: null} : {delivery: match[1]!, freight: match[2]!};
}

/** True for the printed label of a delivery, which precedes the values of a trade. */
export function isDeliveryLabel(text: string): boolean {
  return typeof deliveryOf(splitLabel(text).delivery, null) === "string";
}

const termsSentence =
  /net weights? after (?:an? )?(\d[\d.]*(?:-\d[\d.]*)?)% (?:pencil )?shrink(.*?)(?:\.(?=\s|$)|$)/i;

/**
 * The terms that a market comment states for feeder cattle in a video or direct report, in its sentence on net weights: shrink
 * in percent, and the slide as worded; null if not stated.
 */
export function tradeTerms(comment: string | null): {shrink: string | null; slide: string | null} {
  const [, shrink = null, rest = ""] = termsSentence.exec((comment ?? "").replace(/\s+/g, " ")) ?? [];
  const slide = /\bwith (?:an? and |an? )?(.*\bslide\b.*)$/i.exec(rest)?.[1]?.trim() ?? null;
  return {shrink: shrink === null ? null : `${shrink}%`, slide};
}

/** True for a cash price; a purchase on a basis, grid or formula prints another number in its place. */
export function isCashPrice(purchaseType: string | null, basisMonth: string | null): boolean {
  const type = plainText(purchaseType);
  if (type !== null) return /^(cash|negotiated|negotiated_cash|spot)$/.test(snakeCase(type));
  return plainText(basisMonth) === null;
}
