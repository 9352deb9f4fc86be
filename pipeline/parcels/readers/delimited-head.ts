const delimiters = [",", "\t", ";", "|"] as const;

/** The delimiter that splits the first record into most cells; a comma where none does. */
export function delimiterOf(head: string): string {
  const counted = delimiters.map((delimiter) => ({delimiter, cells: firstRecord(head, delimiter).length}));
  return counted.reduce((best, next) => (next.cells > best.cells ? next : best)).delimiter;
}

/** The cells of the first record; quotes may hold delimiters and line feeds, and double inside them (RFC 4180). */
export function firstRecord(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i]!;
      else quoted = false;
    } else if (character === '"' && cell === "") quoted = true;
    else if (character === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n" || character === "\r") break;
    else cell += character;
  }
  return [...cells, cell];
}
