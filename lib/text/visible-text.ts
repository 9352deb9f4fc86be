import {classOf, controlRanges, invisibleRanges} from "./clean-text.ts";

/** Characters that act on a screen or hide in it, and lone surrogates. */
const acting = new RegExp(classOf([...controlRanges, ...invisibleRanges, [0xd800, 0xdfff]]), "gu");

/**
 * Returns text as people may read it on a terminal or in a report: a control character becomes its picture (`␛`), any other character that
 * acts on a screen its number (`<U+202E>`). Tabs and line feeds stay.
 */
export function visibleText(text: string): string {
  return text.replace(acting, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "␡";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
