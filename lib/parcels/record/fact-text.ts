import {facts} from "./facts.ts";

/** Facts of a record as JSON text, and which of them there are. Each fact has a bit in three words of 32. */
export class FactText {
  /** Members of an object, each with a comma behind it. */
  json = "";
  #low = 0;
  #middle = 0;
  #high = 0;

  /** Adds a fact where its value is known: not null, undefined or an empty text. Numbers must be finite. */
  put(name: string, value: unknown): void {
    if (value === null || value === undefined || value === "") return;
    const slot = slots.get(name);
    if (slot === undefined) throw new RangeError(`${name} is no fact`);
    this.json += slot.prefix + jsonOf(value);
    if (slot.word === 0) this.#low |= slot.bit;
    else if (slot.word === 1) this.#middle |= slot.bit;
    else this.#high |= slot.bit;
  }

  has(name: string): boolean {
    const slot = slots.get(name);
    if (slot === undefined) return false;
    return ([this.#low, this.#middle, this.#high][slot.word]! & slot.bit) !== 0;
  }

  /** Equal for records with the same facts. */
  kind(): string {
    return `${this.#low} ${this.#middle} ${this.#high}`;
  }
}

type Slot = {readonly prefix: string; readonly word: number; readonly bit: number};

const slots: ReadonlyMap<string, Slot> = new Map(
  [...facts.keys()].map((name, at) => [name, {prefix: `"${name}":`, word: at >>> 5, bit: 1 << (at & 31)}]),
);

/** What JSON writes otherwise than it stands: quotes, backslashes, control characters, halves of pairs. */
const escaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** The text of `JSON.stringify`, with a comma behind it, without its cost for plain text and numbers. */
function jsonOf(value: unknown): string {
  if (typeof value === "string") return escaped.test(value) ? `${JSON.stringify(value)},` : `"${value}",`;
  if (typeof value === "number" && Number.isFinite(value)) return `${value},`;
  return `${JSON.stringify(value)},`;
}
