import type {ParcelSet} from "../artifacts.ts";
import {type AskedRoles, ownerRolesScorer} from "../owner/owner-score.ts";
import {askedTokens} from "../owner/owner-tokens.ts";
import type {OwnerReader} from "./owner-reader.ts";

/** Gives the score of a row in hundredths; 0 for a row that is no hit. */
export type RowScore = (row: number) => number;

/** Number of owners whose score is remembered during one query. */
const mostRemembered = 5_000;

/** Gives the scores of `scoreOwner` for rows with all of the tokens, but reads no column that cannot change them. */
export function wordsScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): RowScore {
  const [only = "", second] = tokens;
  return second === undefined ? loneScore(set, only, reader) : severalScore(set, tokens, reader);
}

/** Gives the scores of rows by the names in their roles. */
export function rolesScore(asked: AskedRoles, reader: OwnerReader): RowScore {
  const scoreOf = ownerRolesScorer(asked);
  return remembered(reader.textOf, (row) => Math.round((scoreOf(reader.names(row))?.score ?? 0) * 100));
}

/** Scores several tokens; a row whose tokens are its only name is not parsed. */
function severalScore(set: ParcelSet, tokens: readonly string[], reader: OwnerReader): RowScore {
  const column = set.parcels.text("owner_tokens");
  const scoreOf = listScore(tokens);
  const ofNames = remembered(reader.textOf, (row) => {
    const persons = reader.hasPersons(row) ? reader.names(row).map(({text}) => text) : [];
    const names = [...reader.lines(row), ...persons];
    return Math.max(0, ...names.map((name) => scoreOf(askedTokens(name).join("\n"))));
  });
  return (row) => {
    const score = scoreOf(column.at(row) ?? "");
    return score === 100 || reader.isOneName(row) ? score : Math.max(score, ofNames(row));
  };
}

const partedName = /^(MC|O)(.+)$/;
/** MC and ALDER before MCALDER, as the index has them of a parted name. */
const storedParts = /(^|\n)(MC|O)\n([A-Z0-9]+)\n\2\3(?=\n|$)/g;

/** Gives the score of a list of tokens, separated by line feeds, of a row that has all tokens of the query. */
function listScore(tokens: readonly string[]): (list: string) => number {
  const wanted = tokens.join("\n");
  const sorted = [...tokens].sort().join("\n");
  const within = `\n${wanted}\n`;
  const mayBeParted = tokens.some((token) => partedName.test(token));
  return (stored) => {
    const list = mayBeParted ? stored.replace(storedParts, "$1$2$3") : stored;
    if (list === wanted) return 100;
    if (list.length === wanted.length && list.split("\n").sort().join("\n") === sorted) return 95;
    return `\n${list}\n`.includes(within) ? 90 : 80;
  };
}

/** Scores a single token: it is a whole name, or one word of a name. */
function loneScore(set: ParcelSet, token: string, reader: OwnerReader): RowScore {
  const column = set.parcels.text("owner_tokens");
  const bytes = Buffer.from(token);
  const parted = partedName.test(token) ? Buffer.from(token.replace(partedName, "$1\n$2\n$&")) : null;
  return (row) => {
    if (column.equals(row, bytes) || (parted !== null && column.equals(row, parted))) return 100;
    if (reader.isOneName(row) || !reader.mayStandAlone(row, token)) return 90;
    if (reader.hasPersons(row) && reader.names(row).some(({text}) => text === token)) return 100;
    const lines = reader.lines(row);
    return lines.length > 1 && lines.some((line) => askedTokens(line).join(" ") === token) ? 100 : 90;
  };
}

/** Remembers scores by text, since owners that are printed alike score alike. */
function remembered(textOf: (row: number) => string, scoreOf: RowScore): RowScore {
  const scores = new Map<string, number>();
  return (row) => {
    const text = textOf(row);
    const known = scores.get(text);
    if (known !== undefined) return known;
    const score = scoreOf(row);
    if (scores.size >= mostRemembered) scores.clear();
    scores.set(text, score);
    return score;
  };
}
