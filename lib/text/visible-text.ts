/**
 * Characters that act on a screen or hide in it: C0 but tab and line feed, DEL, C1, bidi controls, zero-width characters, separators of
 * lines and paragraphs, lone surrogates.
 */
const acting =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

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
