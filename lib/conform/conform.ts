import {type Database, sqlName} from "../duckdb.ts";
import {makeCells} from "./cells-table.ts";
import {makeBoxes, makeConformed} from "./conformed-table.ts";
import {ensureTextFunction} from "./functions.ts";
import {idForms} from "./id-forms.ts";
import {installMacros} from "./macros.ts";
import {mailForms} from "./mail-forms.ts";
import {makeMapped} from "./mapped-table.ts";
import {ownerForms} from "./owner-forms.ts";
import type {ConformEntry} from "./references.ts";
import {situsForms} from "./situs-forms.ts";
import type {EntrySources, JoinedRows} from "./sources.ts";
import {useForms} from "./use-forms.ts";

export type ConformRequest = {
  readonly entry: ConformEntry;
  readonly sources: EntrySources;
  /** `YYYY-MM-DD`: dates after it are not believed. */
  readonly asOf: string;
  /** Table to be made: `conformedColumns` and `conformedExtras`, a row for each source row. */
  readonly into: string;
  /** Says whether a place of that name is in the state: where lines have no comma before the city. */
  readonly isKnownPlace?: (city: string, state: string | null) => boolean;
};

const installed = new WeakSet<Database>();
let runs = 0;

/**
 * Conforms the staged rows of an entry: the one definition that a county's file in a build and a county's reply in the server
 * go through. Address, owner and id are read once for each distinct value. The staged tables stay; all others of its own are
 * dropped. Gives what became of the rows of joined files. Throws `ConfigError` for an entry that cannot be carried out.
 */
export async function conformEntry(db: Database, request: ConformRequest): Promise<JoinedRows[]> {
  if (!installed.has(db)) await installMacros(db);
  installed.add(db);
  const {entry, sources, asOf, into} = request;
  const prefix = `conform_${++runs}_`;
  const fates = await makeCells(db, entry, sources, prefix);
  await makeMapped(db, entry, {prefix, asOf});
  await db.run(`DROP TABLE ${sqlName(`${prefix}cells`)}`);
  await makeBoxes(db, prefix);
  for (const form of await registerForms(db, request)) await makeForms(db, prefix, form);
  await makeConformed(db, entry, {prefix, asOf, into});
  for (const table of ["mapped", "county", "box", "situs", "owner", "mail", "ids", "use"]) {
    await db.run(`DROP TABLE ${sqlName(`${prefix}${table}`)}`);
  }
  return fates;
}

type Form = {readonly table: string; readonly change: string};

async function registerForms(db: Database, {entry, isKnownPlace}: ConformRequest): Promise<Form[]> {
  const {ids, owners, coverage} = entry;
  const order = owners?.order ?? "unknown";
  const numeric = !("none" in ids) && ids.numericSource === true;
  const pad = "none" in ids ? null : (ids.pad ?? null);
  // A function cannot be taken back: one that knows places is one run's own.
  const situs = `situs_forms_${coverage.state}${isKnownPlace === undefined ? "" : `_${runs}`}`;
  const owner = `owner_forms_${order}`;
  const id = `id_forms_${numeric}_${pad}`;
  await ensureTextFunction(db, situs, (text) =>
    situsForms(text, {state: coverage.state, ...(isKnownPlace === undefined ? {} : {isKnownPlace})}),
  );
  await ensureTextFunction(db, owner, (text) => ownerForms(text, order));
  await ensureTextFunction(db, id, (text) => idForms(text, {numeric, pad}));
  await ensureTextFunction(db, "mail_forms", mailForms);
  // Which systems are asked, and by which fields, is one entry's own.
  const use = `use_forms_${runs}`;
  await ensureTextFunction(db, use, (text) => useForms(text, entry));
  return [
    {table: "situs", change: situs},
    {table: "owner", change: owner},
    {table: "mail", change: "mail_forms"},
    {table: "ids", change: id},
    {table: "use", change: use},
  ];
}

/** A table of the distinct questions of a column of the mapped table with their answers, as lists of parts. */
async function makeForms(db: Database, prefix: string, {table, change}: Form): Promise<void> {
  const column = sqlName(`~${table}`);
  await db.run(
    `CREATE TABLE ${sqlName(`${prefix}${table}`)} AS
     SELECT question, string_split(${change}(question), chr(31)) AS parts
     FROM (SELECT DISTINCT ${column} AS question FROM ${sqlName(`${prefix}mapped`)} WHERE ${column} IS NOT NULL)`,
  );
}
