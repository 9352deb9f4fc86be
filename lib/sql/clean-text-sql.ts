import {classOf, controlRanges, invisibleRanges} from "../text/clean-text.ts";

/** SQL: `cleanText` of a text; `control`, SQL of a text, replaces control characters in place of a space. */
export function cleanTextSql(text: string, control = "' '"): string {
  const lines = `replace(${text}, chr(13) || chr(10), chr(10))`;
  const withoutControls = `regexp_replace(${lines}, '${classOf(controlRanges, "x")}+', ${control}, 'g')`;
  return `nfc_normalize(regexp_replace(${withoutControls}, '${classOf(invisibleRanges, "x")}', '', 'g'))`;
}
