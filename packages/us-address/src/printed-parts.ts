import type {ScoredAddress} from "./parsed-address.ts";

/**
 * True where a line is the row's parts and nothing else, in the order of an address, so that no word of it is left over. A quick
 * test, which most lines pass; of a line that does not, nothing is known.
 */
export function isPrintedInParts(line: string, address: ScoredAddress, state: string): boolean {
  if (address.unit !== null || address.unitType !== null) return false;
  let at = skipBlanks(line, 0);
  at = afterPart(line, at, address.number);
  at = afterPart(line, at, address.fraction);
  at = afterPart(line, at, address.pre);
  at = afterPart(line, at, address.name);
  at = afterPart(line, at, address.type);
  at = afterPart(line, at, address.post);
  at = afterPart(line, at, address.city);
  at = afterPart(line, at, state);
  return afterPart(line, at, address.zip) === line.length;
}

/** The index of the next word if the part stands at `at`, else `at` again: a line may lack a part. */
function afterPart(line: string, at: number, part: string | null): number {
  if (part === null || at + part.length > line.length) return at;
  for (let i = 0; i < part.length; i++) {
    if (upperCode(line.charCodeAt(at + i)) !== part.charCodeAt(i)) return at;
  }
  const end = at + part.length;
  return end === line.length || isBetween(line.charCodeAt(end)) ? skipBlanks(line, end) : at;
}

function upperCode(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBetween(line.charCodeAt(at))) at++;
  return at;
}

/** True for a blank or a comma. */
function isBetween(code: number): boolean {
  return code === 32 || code === 44;
}
