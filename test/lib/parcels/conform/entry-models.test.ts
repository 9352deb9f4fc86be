import {expect, test} from "vitest";
import {asOfDate} from "../../../../lib/models/build-facts.ts";
import {columnTypes} from "../../../../lib/models/model.ts";
import {inOrder} from "../../../../lib/models/model-graph.ts";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {joinNames, mainNames} from "../../../../lib/parcels/conform/column-references.ts";
import {entryModels} from "../../../../lib/parcels/conform/entry-models.ts";
import {stageRecords} from "../../../../lib/parcels/conform/staged-table.ts";
import {loadParcelSources} from "../../../../lib/registry/parcel-sources.ts";
import {openDatabase, sqlName} from "../../../../lib/sql/duckdb.ts";
import {rowDifferences, sqlDifferences} from "../../models/reads.ts";

/** Entries with joined tables, without numbers, and each tenth of the others. */
const entries = loadParcelSources().filter(
  (entry, i) => entry.joins !== undefined || "none" in entry.ids || i % 10 === 0,
);

const tableOf = (id: string) => id.replaceAll("-", "_");

function modelsOf(entry: (typeof entries)[number]) {
  const source = (part: string) => ({
    file: 0,
    table: `${tableOf(entry.id)}_${part}`,
    retrieved: "2026-11-01",
    layerEdit: null,
  });
  const joins = Object.fromEntries(
    (entry.joins ?? []).map(({prefix}) => [prefix, [source(`staged_${prefix}`)]]),
  );
  return entryModels(entry, {
    into: tableOf(entry.id),
    sources: {main: [source("staged")], joins},
    isBuild: true,
  });
}

test("the models of an entry read exactly the models that they declare", async () => {
  using db = await openDatabase();
  const run = new ModelRun(db).give(asOfDate, "2026-11-21");
  for (const entry of entries) {
    const {conformed, joinCounts, lend} = modelsOf(entry);
    const lent = await lend(run);
    const models = inOrder([conformed, ...joinCounts]);
    expect((await sqlDifferences(run, models)).differences).toEqual([]);
    expect((await rowDifferences(run, models)).differences).toEqual([]);
    lent.end();
  }
  expect(entries.length).toBeGreaterThan(8);
});

test("the models of an entry have the columns that they declare, with their types", async () => {
  using db = await openDatabase();
  const differences: string[] = [];
  for (const entry of entries) {
    const run = new ModelRun(db, {keep: true}).give(asOfDate, "2026-11-21");
    const models = modelsOf(entry);
    await stageRecords(db, {table: `${tableOf(entry.id)}_staged`, wantedColumns: mainNames(entry)}, []);
    for (const {prefix} of entry.joins ?? [])
      await stageRecords(
        db,
        {table: `${tableOf(entry.id)}_staged_${prefix}`, wantedColumns: joinNames(entry, prefix)},
        [],
      );
    for (const staged of models.staged) await run.adopt(staged, {rows: 0, seconds: 0});
    const lent = await models.lend(run);
    await run.make(models.conformed, ...models.joinCounts);
    lent.end();
    for (const {name, columns} of inOrder([models.conformed, ...models.joinCounts])) {
      const real = await db.rows<{column_name: string; column_type: string}>(`DESCRIBE ${sqlName(name)}`);
      const had = real.map((each) => `${each.column_name} ${each.column_type}`);
      const said = columnTypes(columns).map((each) => `${each.name} ${each.type}`);
      const lacking = said.filter((each) => !had.includes(each)).map((each) => `${name} lacks ${each}`);
      const untold = had.filter((each) => !said.includes(each));
      differences.push(...lacking, ...untold.map((each) => `${name} does not declare ${each}`));
    }
  }
  expect(differences).toEqual([]);
});
