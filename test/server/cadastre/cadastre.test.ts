import {Registry} from "prom-client";
import {afterEach, describe, expect, it} from "vitest";
import {createCadastreMetrics} from "../../../server/cadastre/cadastre-metrics.ts";
import {brazos, type CountyOptions, countyAsker, inventedRows, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, side, startFakeArcgis} from "./fake-arcgis.ts";

const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

type Changes = Parameters<typeof layerEntry>[1];

async function county(changes: Changes = {}, options: CountyOptions = {}) {
  const fake = await startFakeArcgis(inventedRows());
  const asked = countyAsker([layerEntry(fake.url, changes)], options);
  open.push(fake, asked);
  return {fake, ...asked};
}

const asked = {parcelId: "R-100-1", state: "TX", county: brazos.key};
const wheres = (fake: FakeArcgis) => fake.queries().map(({form}) => form.get("where"));

describe("a parcel that is not in the dataset", () => {
  it("C4: comes from the county by its number, with match and provenance of the layer, and is stored first", async () => {
    const {ask, fake, store} = await county();
    const {json} = await ask("parcel", asked);
    expect(json).toMatchObject({
      property: {
        parcelUid: "48041-R-100-1",
        acres: 2.5,
        match: {type: "exact", score: 1},
        provenance: {
          default: {source: "us-tx-invented-48041", vintage: "2026-09-01", vintageBasis: "row_date"},
        },
      },
      metadata: {
        lookup: {origin: "cadastre", cadastreStatus: "found", persisted: true, sourceAdded: true},
        sources: [{id: "us-tx-invented-48041", name: "Invented parcel layer"}],
        generatedAt: "2026-11-21T04:00:00Z",
      },
    });
    expect(wheres(fake)).toEqual(["APN = 'R-100-1'"]);
    expect(store.discoveries).toHaveLength(1);
  });

  it("has a lower confidence when the map was proposed from the layer's metadata", async () => {
    const {ask} = await county();
    const {json} = await ask("parcel", asked);
    // County 1.00, 81 days old 1.00, verbatim 1.00, proposed map 0.80 (docs/design/parcels.md section 8).
    expect(json.property.provenance.fields).toMatchObject({parcelId: {confidence: 0.8}});
  });

  it("is stored as published facts with mapped attributes, without owner, outline and what follows from them", async () => {
    const {ask, store, fake} = await county();
    await ask("parcel", asked);
    const {upsert, source} = store.discoveries[0]!;
    expect(upsert).toMatchObject({
      key: {state: "TX", county: "48041", parcelId: "R-100-1"},
      parcelUid: "48041-R-100-1",
      proposedMap: true,
      query: "parcel_id",
      raw: {APN: "R-100-1", SITUS: "101 OAKVALE RD"},
      vintage: "2026-09-01",
    });
    expect(upsert.row["xmin"]).toBe(upsert.row["lon"]);
    expect(source).toMatchObject({sourceId: "us-tx-invented-48041", countyKey: "48041"});
    expect(JSON.stringify(store.discoveries)).not.toMatch(/QUISTAD|land_use_|rings/);
    expect(fake.queries()[0]!.form.get("outFields")).not.toContain("OWNER");
  });

  it("comes by the number of its address, and its street is compared here", async () => {
    const {ask, fake} = await county();
    const {json} = await ask("address", {address: "101 Oakvale Road", state: "TX", county: "Brazos"});
    expect(json.property.parcelUid).toBe("48041-R-100-1");
    expect(wheres(fake)).toEqual(["SITUS LIKE '101%'"]);
    const other = await ask("address", {address: "10 Oakvale Rd", state: "TX", county: "Brazos"});
    expect(other.json).toMatchObject({type: "/problems/parcel-not-found", lookup: {cadastreStatus: "empty"}});
  });

  it("comes by a point in its outline, also when the query is for the point alone", async () => {
    const {ask, fake} = await county();
    const point = {
      latitude: String(brazos.lat + side / 4),
      longitude: String(brazos.lon + side / 4),
      radius: "0",
    };
    const {json} = await ask("near", point);
    expect(json.properties.map(({parcelUid}) => parcelUid)).toEqual(["48041-R-100-1"]);
    expect(json.metadata.lookup).toMatchObject({
      origin: "cadastre",
      cadastreStatus: "found",
      persisted: true,
    });
    expect(fake.queries()[0]!.form.get("geometryType")).toBe("esriGeometryPoint");
  });

  it("comes by its owner when the terms let owners be given, else no query goes out", async () => {
    const question = {owner: "Helga Quistad", state: "TX", county: "48041"};
    const {cadastre} = layerEntry("https://gis.example.org/0");
    const open = {
      owners: {published: true, order: "last_first" as const},
      terms: {store: true, redistributeOwners: true, bulk: false},
    };
    const {ask, store, fake} = await county({...open});
    expect((await ask("owner", question)).json.metadata.lookup).toMatchObject({
      cadastreStatus: "unsupported",
    });
    const named = await county({...open, cadastre: {...cadastre, url: fake.url, ownerField: "OWNER"}});
    const {json} = await named.ask("owner", question);
    expect(json.properties.map(({parcelUid}) => parcelUid)).toEqual(["48041-R-100-1", "48041-R-100-2"]);
    expect(named.store.discoveries).toHaveLength(2);
    expect(store.discoveries).toEqual([]);
  });

  it("C4: is answered with persisted false when it cannot or must not be stored", async () => {
    const {ask, store} = await county();
    store.works = false;
    expect((await ask("parcel", asked)).json.metadata.lookup).toMatchObject({
      cadastreStatus: "found",
      persisted: false,
    });
    const bound = await county({terms: {store: false, redistributeOwners: false, bulk: false}});
    expect((await bound.ask("parcel", asked)).json.metadata.lookup).toMatchObject({persisted: false});
    expect(bound.store.discoveries).toEqual([]);
  });

  it("stores none of several candidates", async () => {
    const {ask, store, fake} = await county();
    const [first] = fake.rows;
    fake.rows = [
      first!,
      {...first!, attributes: {...first!.attributes, APN: "R-100-9"}, west: brazos.lon + 0.05},
    ];
    const {json} = await ask("address", {address: "101 Oakvale Rd", state: "TX", county: "Brazos"});
    expect(json).toMatchObject({type: "/problems/ambiguous-parcel", candidateTotal: 2});
    expect(store.discoveries).toEqual([]);
  });
});

describe("the question to a county", () => {
  it("C4: is put as the number stands and then in any spelling, and a clean empty answer is remembered", async () => {
    const {ask, fake} = await county();
    const missing = {...asked, parcelId: "48041-R-999-9"};
    expect((await ask("parcel", missing)).json).toMatchObject({
      type: "/problems/parcel-not-found",
      lookup: {origin: "cadastre", cadastreStatus: "empty"},
    });
    expect(wheres(fake)).toEqual(["APN = 'R-999-9'", "UPPER(APN) LIKE 'R%9%9%9%9'"]);
    await ask("parcel", missing);
    expect(fake.asked).toHaveLength(3);
  });

  it("finds a number that the county prints with other marks", async () => {
    const {ask} = await county();
    for (const parcelId of ["R1001", "r.100 1"])
      expect((await ask("parcel", {...asked, parcelId})).json.property.parcelId).toBe("R-100-1");
  });

  it("C4: ends as out of calls, not as empty, and succeeds the next time", async () => {
    // A short number is asked in each of its forms, because its characters stand in too many others.
    const {ask, fake} = await county();
    const three = {...asked, parcelId: "r 9.9"};
    expect((await ask("parcel", three)).json).toMatchObject({
      type: "/problems/cadastre-unavailable",
      lookup: {cadastreStatus: "timeout"},
    });
    expect(fake.asked).toHaveLength(3);
    expect((await ask("parcel", three)).json).toMatchObject({lookup: {cadastreStatus: "empty"}});
  });

  it("goes on to a count where a page is full and no word says that it is the last", async () => {
    const {ask, fake} = await county();
    Object.assign(fake, {metadata: {maxRecordCount: 1}, mostRows: 1});
    let count = 1;
    fake.misbehave = (response, {form}) => {
      if (form.get("returnCountOnly") !== "true") return false;
      response.end(JSON.stringify({count}));
      return true;
    };
    expect((await ask("parcel", asked)).json.property.parcelUid).toBe("48041-R-100-1");
    count = 2;
    const another = (await ask("parcel", {...asked, parcelId: "R-100-2"})).json;
    expect(another).toMatchObject({lookup: {cadastreStatus: "rejected"}});
  });

  it("is not covered where the county requires a token, and that is no failure of the county", async () => {
    const {ask, fake} = await county();
    fake.misbehave = (response) => {
      response.end('{"error":{"code":499,"message":"Token Required","details":[]}}');
      return true;
    };
    for (let i = 0; i < 6; i++)
      expect((await ask("parcel", {...asked, parcelId: `R-${i}-1`})).json).toMatchObject({
        type: "/problems/parcel-not-covered",
        error: expect.stringContaining("requires a token"),
        lookup: {origin: "dataset", cadastreStatus: "unsupported"},
      });
  });

  it("C2: goes out once for 64 callers, and is stored once", async () => {
    const {ask, fake, store} = await county();
    const answers = await Promise.all(Array.from({length: 64}, () => ask("parcel", asked)));
    expect(new Set(answers.map(({json}) => json.property.parcelUid))).toEqual(new Set(["48041-R-100-1"]));
    expect(fake.queries()).toHaveLength(1);
    expect(store.discoveries).toHaveLength(1);
  });

  it("reads the metadata of a layer once", async () => {
    const {ask, fake} = await county();
    await ask("parcel", asked);
    await ask("parcel", {...asked, parcelId: "R-100-2"});
    expect(fake.asked.filter(({isQuery}) => !isQuery)).toHaveLength(1);
  });

  it("C4: does not go out when the county is unknown or not registered, or the value may not be sent", async () => {
    const {ask, fake} = await county();
    const lookups: Record<string, string>[] = [
      {parcelId: "R-100-1"},
      {parcelId: "R-100-1", state: "TX"},
      {parcelId: "R-100-1", state: "TX", county: "48043"},
      {...asked, parcelId: "R".repeat(41)},
    ];
    const statuses = [];
    for (const lookup of lookups)
      statuses.push(
        (await ask("parcel", lookup)).json as unknown as {lookup: {cadastreStatus: string}; type: string},
      );
    expect(statuses.map(({lookup}) => lookup.cadastreStatus)).toEqual([
      "county_unknown",
      "county_unknown",
      "unsupported",
      "unsupported",
    ]);
    expect(new Set(statuses.map(({type}) => type))).toEqual(new Set(["/problems/parcel-not-covered"]));
    expect(fake.queries()).toEqual([]);
  });

  it("never leaves a build of the sample", async () => {
    const {ask, fake} = await county({}, {generation: {sample: true}});
    expect((await ask("parcel", asked)).json).toMatchObject({lookup: {cadastreStatus: "unsupported"}});
    expect(fake.asked).toEqual([]);
  });

  it("is narrowed to the county at a statewide layer, whose rows of other counties do not count", async () => {
    const {ask, fake} = await county({coverage: {country: "US", state: "TX", counties: "all"}});
    expect((await ask("parcel", asked)).json.property.parcelUid).toBe("48041-R-100-1");
    expect(JSON.parse(fake.queries()[0]!.form.get("geometry")!)).toMatchObject({
      spatialReference: {wkid: 4326},
    });
    // This point is in the neighbour county, a few miles over the border, yet in the extent of the target county.
    fake.rows = [{...fake.rows[0]!, west: -96.55, south: 30.4}];
    expect((await ask("parcel", asked)).json).toMatchObject({lookup: {cadastreStatus: "rejected"}});
  });

  it("is counted by county and outcome", async () => {
    const registry = new Registry();
    const {ask, fake} = await county({}, {metrics: createCadastreMetrics(registry)});
    await ask("parcel", asked);
    fake.misbehave = (response) => void response.writeHead(500).end() === undefined;
    await ask("parcel", {...asked, parcelId: "R-5"});
    const text = await registry.metrics();
    expect(text).toContain('cadastre_calls_total{county="48041",outcome="found"} 1');
    expect(text).toContain('cadastre_calls_total{county="48041",outcome="unavailable"} 1');
    expect(text).toMatch(/cadastre_breaker_state\{host="127\.0\.0\.1:\d+"\} 0/);
  });
});
