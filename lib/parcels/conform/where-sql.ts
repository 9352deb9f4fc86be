import {UserError} from "../../errors.ts";
import {sqlText} from "../../sql/duckdb.ts";

/** A where clause as SQL over cells of text. */
export type WhereSql = {
  /** The source fields that it uses, without repetition. */
  readonly names: readonly string[];
  /** SQL that is true, false or, for a null cell, null. */
  readonly sql: string;
};

/**
 * Compiles an entry's where clause. It supports the subset of SQL that ArcGIS servers and our files share:
 * comparisons, `IN`, `LIKE`, `BETWEEN`, `IS NULL`, `UPPER`, `LOWER`, `AND`, `OR`, `NOT` and parentheses.
 * Texts compare verbatim, numbers by value. `cell` returns the SQL of a field. Throws a `UserError` that
 * names the place where parsing failed.
 */
export function whereSql(clause: string, cell: (name: string) => string): WhereSql {
  const names = new Set<string>();
  const reader = new ClauseReader(whereWords(clause), (name) => {
    names.add(name);
    return cell(name);
  });
  const sql = reader.either();
  reader.end();
  return {names: [...names], sql};
}

const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", ">", "<=", ">="]);
const folding: ReadonlySet<string> = new Set(["UPPER", "LOWER"]);

/** A side of a comparison; a number on one side makes the comparison numeric. */
type Side = {readonly sql: string; readonly isNumber: boolean};

/** A recursive descent parser; `at` is the index of the next word. */
class ClauseReader {
  private at = 0;
  private readonly words: readonly WhereWord[];
  private readonly cell: (name: string) => string;

  constructor(words: readonly WhereWord[], cell: (name: string) => string) {
    this.words = words;
    this.cell = cell;
  }

  either(): string {
    const parts = [this.both()];
    while (this.takes("OR")) parts.push(this.both());
    return parts.length === 1 ? parts[0]! : `(${parts.join(" OR ")})`;
  }

  end(): void {
    if (this.at < this.words.length) this.fail("the end");
  }

  private both(): string {
    const parts = [this.condition()];
    while (this.takes("AND")) parts.push(this.condition());
    return parts.length === 1 ? parts[0]! : `(${parts.join(" AND ")})`;
  }

  private condition(): string {
    if (this.takes("NOT")) return `(NOT ${this.condition()})`;
    if (this.takes("(")) {
      const inner = this.either();
      this.needs(")");
      return inner;
    }
    return this.test(this.side());
  }

  private test(left: Side): string {
    if (this.takes("IS")) {
      const no = this.takes("NOT") ? "NOT " : "";
      this.needs("NULL");
      return `(${left.sql} IS ${no}NULL)`;
    }
    const no = this.takes("NOT") ? "NOT " : "";
    if (this.takes("IN")) return `(${no}${this.list(left)})`;
    if (this.takes("LIKE")) return `(${no}${left.sql} LIKE ${this.side().sql})`;
    if (this.takes("BETWEEN")) return `(${no}${this.between(left)})`;
    const sign = this.words[this.at];
    if (no !== "" || sign === undefined || !comparisons.has(sign.text)) return this.fail("a comparison");
    this.at += 1;
    return compared(left, sign.text, this.side());
  }

  private list(left: Side): string {
    this.needs("(");
    const members = [this.side()];
    while (this.takes(",")) members.push(this.side());
    this.needs(")");
    return `(${members.map((member) => compared(left, "=", member)).join(" OR ")})`;
  }

  private between(left: Side): string {
    const low = this.side();
    this.needs("AND");
    return `(${compared(left, ">=", low)} AND ${compared(left, "<=", this.side())})`;
  }

  private side(): Side {
    const word = this.words[this.at];
    if (word === undefined || word.kind === "word" || word.kind === "sign")
      return this.fail("a field or a value");
    this.at += 1;
    if (word.kind === "text") return {sql: sqlText(word.text), isNumber: false};
    if (word.kind === "number") return {sql: word.text, isNumber: true};
    const fold = word.text.toUpperCase();
    if (!folding.has(fold) || !this.takes("(")) return {sql: this.cell(word.text), isNumber: false};
    const inner = this.side();
    this.needs(")");
    return {sql: `${fold.toLowerCase()}(${inner.sql})`, isNumber: false};
  }

  private takes(text: string): boolean {
    const word = this.words[this.at];
    if (word === undefined || word.kind === "text" || word.kind === "name" || word.text !== text)
      return false;
    this.at += 1;
    return true;
  }

  private needs(text: string): void {
    if (!this.takes(text)) this.fail(`"${text}"`);
  }

  private fail(expected: string): never {
    const actual = this.words
      .slice(this.at, this.at + 3)
      .map(({text}) => text)
      .join(" ");
    throw new UserError(`expected ${expected}, got "${actual}"`);
  }
}

function compared(left: Side, sign: string, right: Side): string {
  const numeric = left.isNumber || right.isNumber;
  const shown = ({sql, isNumber}: Side) => (numeric && !isNumber ? `try_cast(${sql} AS DOUBLE)` : sql);
  return `(${shown(left)} ${sign} ${shown(right)})`;
}

/** A token of a where clause: a field name, a literal, a keyword or a sign. */
type WhereWord = {
  readonly kind: "name" | "text" | "number" | "word" | "sign";
  readonly text: string;
};

const keywords: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "IN", "LIKE", "IS", "NULL", "BETWEEN"]);
/**
 * Matches a quoted text, a quoted name, a number, a name (including an aggregate such as `SHAPE.STArea()`) or
 * a sign.
 */
const pieces =
  /\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")+)"|(-?\d+(?:\.\d+)?)(?![\w.])|([\p{L}_][\p{L}\p{N}_.]*(?:\(\))?)|(<>|!=|<=|>=|[=<>(),]))/uy;

/** Splits a where clause into tokens. Throws a `UserError` at text that is not a token. */
function whereWords(clause: string): WhereWord[] {
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
