import {type Database, sqlName} from "../../sql/duckdb.ts";
import {makeCells} from "./cells-table.ts";
import {makeBoxes, makeConformed} from "./conformed-table.ts";
import {formsOf, makeForms} from "./forms.ts";
import {installMacros} from "./functions.ts";
import {makeShapes} from "./id-forms.ts";
import {makeMapped} from "./mapped-table.ts";
import type {ConformEntry} from "./references.ts";
import type {EntrySources, JoinedRows} from "./staged-table.ts";

type ConformRequest = {
  readonly entry: ConformEntry;
  readonly sources: EntrySources;
  /** `YYYY-MM-DD`: later dates are not believed. */
  readonly asOf: string;
  /** The table to be made: `conformedColumns` and `conformedExtras`, with a row for each source row. */
  readonly into: string;
  /** Says whether a place of that name is in the state, for lines without a comma before the city. */
  readonly isKnownPlace?: (city: string, state: string | null) => boolean;
  /** Folder for the file of table `into`, which then is a view (`dropRelation` of `relation-store.ts`); given when there are many rows. */
  readonly folder?: string;
};

const installed = new WeakSet<Database>();

/** Makes the functions of conforming known to a database, once. */
export async function ensureMacros(db: Database): Promise<void> {
  if (!installed.has(db)) await installMacros(db);
  installed.add(db);
}

let runs = 0;

/**
 * Conforms the staged rows of an entry, the same way for a county's file in a build and a county's reply in the server.
 * Address, owner and ids that SQL cannot read are read once for each distinct value. Of the tables, only the staged ones
 * and `into` remain. Gives the fate of the rows of joined files. Throws `ConfigError` for an entry that cannot be carried
 * out.
 */
export async function conformEntry(db: Database, request: ConformRequest): Promise<JoinedRows[]> {
  await ensureMacros(db);
  const {entry, sources, asOf, into, folder} = request;
  const prefix = `conform_${++runs}_`;
  // With many rows, reading a cell twice costs less than storing its meaning.
  const steps = folder !== undefined && entry.joins === undefined ? "VIEW" : "TABLE";
  const fates = await makeCells(db, entry, sources, {prefix, steps});
  await makeMapped(db, entry, {prefix, asOf, steps});
  await makeBoxes(db, prefix);
  await makeShapes(db, entry, {prefix, isAsked: folder !== undefined});
  const forms = formsOf(entry, request.isKnownPlace);
  await makeForms(db, prefix, forms);
  await makeConformed(db, entry, {prefix, asOf, forms, into: {name: into, folder}});
  const drops = (kind: string, names: readonly string[]) =>
    names.map((name) => `DROP ${kind} ${sqlName(`${prefix}${name}`)};`).join("");
  const tables = ["county", "box", "shape", "odd", ...forms.map(({name}) => name)];
  // In one call: for a county's reply each call costs more than its statement.
  await db.run(drops(steps, ["mapped", "cells"]) + drops("TABLE", tables));
  return fates;
}
