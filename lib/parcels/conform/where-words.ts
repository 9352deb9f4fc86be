import {UserError} from "../../errors.ts";

/** A piece of a where clause: a name of a source field, a literal, or a word or sign of the language. */
export type WhereWord = {
  readonly kind: "name" | "text" | "number" | "word" | "sign";
  readonly text: string;
};

const keywords: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "IN", "LIKE", "IS", "NULL", "BETWEEN"]);
/** Quoted text, quoted name, number, name (an aggregate such as `SHAPE.STArea()` with its brackets), sign. */
const pieces =
  /\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")+)"|(-?\d+(?:\.\d+)?)(?![\w.])|([\p{L}_][\p{L}\p{N}_.]*(?:\(\))?)|(<>|!=|<=|>=|[=<>(),]))/uy;

/** Takes a where clause apart. Throws a `UserError` at what belongs to no clause that is understood. */
export function whereWords(clause: string): WhereWord[] {
  const words: WhereWord[] = [];
  const text = clause.trim();
  pieces.lastIndex = 0;
  while (pieces.lastIndex < text.length) {
    const at = pieces.lastIndex;
    const match = pieces.exec(text);
    if (match === null) throw new UserError(`not understood at "${text.slice(at, at + 30).trim()}"`);
    words.push(wordOf(match));
  }
  return words;
}

function wordOf([, literal, quoted, number, name, sign]: RegExpExecArray): WhereWord {
  if (literal !== undefined) return {kind: "text", text: literal.replaceAll("''", "'")};
  if (quoted !== undefined) return {kind: "name", text: quoted.replaceAll('""', '"')};
  if (number !== undefined) return {kind: "number", text: number};
  if (sign !== undefined) return {kind: "sign", text: sign === "!=" ? "<>" : sign};
  const upper = name!.toUpperCase();
  return keywords.has(upper) ? {kind: "word", text: upper} : {kind: "name", text: name!};
}
