/**
 * Applies the normalising steps of a code system to a published code; `split` makes several codes. The steps are `trim`,
 * `upper`, `dropSpaces`, `digitsOnly`, `first:N`, `split:CHARS` (a character or a class in brackets) and
 * `sliceByLength:L=A-B,…` (characters A to B of a code of length L; codes of other lengths stay as they are). Throws for
 * an unknown step.
 */
export function normaliseCode(code: string, steps: readonly string[]): string[] {
  return steps
    .reduce<string[]>((codes, step) => codes.flatMap((each) => applyStep(each, step)), [code])
    .filter(Boolean);
}

/** True for a step that `normaliseCode` knows. */
export function isKnownStep(step: string): boolean {
  return /^(trim|upper|dropSpaces|digitsOnly|first:\d+|split:.+|sliceByLength:(\d+=\d+-\d+,?)+)$/.test(step);
}

function applyStep(code: string, step: string): string[] {
  const [name, argument = ""] = splitOnce(step, ":");
  switch (name) {
    case "trim":
      return [code.trim()];
    case "upper":
      return [code.toUpperCase()];
    case "dropSpaces":
      return [code.replaceAll(" ", "")];
    case "digitsOnly":
      return [code.replace(/\D/g, "")];
    case "first":
      return [code.slice(0, Number(argument))];
    case "split":
      return splitAt(code, new Set(argument.replace(/^\[(.*)\]$/, "$1")));
    case "sliceByLength":
      return [sliceByLength(code, argument)];
    default:
      throw new Error(`land-use map: unknown step "${step}"`);
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAt(code: string, separators: ReadonlySet<string>): string[] {
  const parts = [""];
  for (const character of code) {
    if (separators.has(character)) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function sliceByLength(code: string, rules: string): string {
  for (const rule of rules.split(",")) {
    const [length, from, to] = rule.split(/[=-]/).map(Number);
    if (code.length === length) return code.slice(from, to);
  }
  return code;
}
