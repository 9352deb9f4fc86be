import {controlRanges, invisibleRanges} from "../text/clean-text.ts";

/** The class of DuckDB's regular expressions (RE2) that has the ranges. */
function classOf(ranges: typeof controlRanges): string {
  const hex = (code: number) => `\\x{${code.toString(16)}}`;
  return `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`;
}

/** SQL: `cleanText` of a text; `control`, SQL of a text, replaces control characters in place of a space. */
export function cleanTextSql(text: string, control = "' '"): string {
  const lines = `replace(${text}, chr(13) || chr(10), chr(10))`;
  const shown = `regexp_replace(${lines}, '${classOf(controlRanges)}+', ${control}, 'g')`;
  return `nfc_normalize(regexp_replace(${shown}, '${classOf(invisibleRanges)}', '', 'g'))`;
}
