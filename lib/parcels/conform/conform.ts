import {type Database, sqlName} from "../../sql/duckdb.ts";
import {dropRelation} from "../../sql/relation-store.ts";
import {makeCells} from "./cells-table.ts";
import {makeBoxes, makeConformed} from "./conformed-table.ts";
import {formsOf, makeForms} from "./forms.ts";
import {installMacros} from "./macros.ts";
import {makeMapped} from "./mapped-table.ts";
import type {ConformEntry} from "./references.ts";
import type {EntrySources, JoinedRows} from "./sources.ts";

type ConformRequest = {
  readonly entry: ConformEntry;
  readonly sources: EntrySources;
  /** `YYYY-MM-DD`: dates after it are not believed. */
  readonly asOf: string;
  /** Table to be made: `conformedColumns` and `conformedExtras`, a row for each source row. */
  readonly into: string;
  /** Says whether a place of that name is in the state: where lines have no comma before the city. */
  readonly isKnownPlace?: (city: string, state: string | null) => boolean;
  /** Of many rows: folder for the file of table `into`, which then is a view (`dropRelation`). */
  readonly folder?: string;
};

const installed = new WeakSet<Database>();
let runs = 0;

/**
 * Conforms the staged rows of an entry: the one definition that a county's file in a build and a county's reply in the server
 * go through. What SQL cannot read of addresses, owners and ids is read once for each distinct value. The staged tables stay; all others of its own are
 * dropped. Gives what became of the rows of joined files. Throws `ConfigError` for an entry that cannot be carried out.
 */
export async function conformEntry(db: Database, request: ConformRequest): Promise<JoinedRows[]> {
  if (!installed.has(db)) await installMacros(db);
  installed.add(db);
  const {entry, sources, asOf, into, folder} = request;
  const prefix = `conform_${++runs}_`;
  // Of many rows it is cheaper to read a cell twice than to keep what it means.
  const steps = folder !== undefined && entry.joins === undefined ? "VIEW" : "TABLE";
  const fates = await makeCells(db, entry, sources, {prefix, steps});
  await makeMapped(db, entry, {prefix, asOf, steps});
  await makeBoxes(db, prefix);
  const forms = formsOf(entry, request.isKnownPlace);
  await makeForms(db, prefix, forms);
  await makeConformed(db, entry, {prefix, asOf, forms, into: {name: into, folder}});
  for (const step of ["mapped", "cells"]) await db.run(`DROP ${steps} ${sqlName(`${prefix}${step}`)}`);
  for (const table of ["county", "box", "odd", ...forms.map(({name}) => name)])
    await dropRelation(db, {name: `${prefix}${table}`});
  return fates;
}
