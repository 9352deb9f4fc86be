import {expect, test} from "vitest";
import {counties} from "../../../lib/geography/counties.ts";
import {loadParcelSources, loadWaves} from "../../../lib/registry/parcel-sources.ts";
import {loadFeedFetches} from "../../../pipeline/market/reference/market-sources.ts";
import {refusalOfSource} from "../../../pipeline/parcels/datasets.ts";
import {registeredLayers} from "../../../server/cadastre/county-layers.ts";

// What public users of 2025 and 2026 contradicted in the registry, as it stands now: each was once otherwise, and cost a source, a state or a fact.

const entry = (id: string) => loadParcelSources().find((each) => each.id === id)!;
const feed = (id: string) =>
  loadFeedFetches().find((each) => each.id === id) as Record<string, unknown> | undefined;
const required = (state: string) => loadWaves().find((wave) => wave.state === state)!.required;
const isAllowed = (id: string) => refusalOfSource(entry(id)) === null;
const hostsAsked = (state: string) => {
  const keys = counties().flatMap((county) => (county.state === state ? [county.fips] : []));
  const doors = keys.flatMap((key) => registeredLayers({}).forCounty({country: "US", state, key}));
  return new Set(doors.map(({source}) => new URL(source.cadastre.url).host));
};

test.each<[string, unknown, unknown]>([
  [
    "reports: the JSON list asks for 14 days",
    /\/14\?format=json$/.test(String(feed("ams-text")?.["jsonList"])),
    true,
  ],
  [
    "reports: the archive has each edition",
    /field_slug_id_value=\{slug\}$/.test(String(feed("ams-text")?.["archive"])),
    true,
  ],
  ["diesel has a bulk file without a key", feed("diesel-bulk")?.["unlessGood"], "diesel"],
  ["statistics have bulk files without a key", feed("nass-bulk")?.["unlessGood"], "nass"],
  [
    "TX: a mirror of the archives",
    new URL(entry("us-tx-archives").mirror!.replace("{county}", "48001")).host,
    "s3.amazonaws.com",
  ],
  [
    "TX: which files exist is read, not counted up",
    new URL(entry("us-tx-archives").fileList!).host,
    "api.tnris.org",
  ],
  ["TX: areas in the unit of their row", entry("us-tx-archives").area?.unit, "perRow"],
  [
    "TX: the copy is retired, for pulls and misses",
    [entry("us-tx-service").url, entry("us-tx-service").cadastre],
    [undefined, undefined],
  ],
  ["TX: the archives make it live", required("TX"), ["us-tx-archives"]],
  ["MN: one bulk file, not pages", new URL(entry("us-mn-open").url!).host, "resources.gisdata.mn.gov"],
  [
    "MA: areas in the unit of their row",
    entry("us-ma-service").area,
    expect.objectContaining({unit: "perRow", unitFrom: "LOT_UNITS"}),
  ],
  ["MT: no dead host is asked", hostsAsked("MT").has("gisservicemt.gov"), false],
  ["MT: the state's newer host is", hostsAsked("MT").has("gisservice.mt.gov"), true],
  ["IA: no layer of a portal that forbids it", hostsAsked("IA").has("wfs.schneidercorp.com"), false],
  ["NY: pages of 1,000", entry("us-ny-statewide").pageSize, 1000],
  ["FL: no questions by place", entry("us-fl-service").cadastre?.point, false],
  ["OR: Metro does not make it live", required("OR"), ["us-or-statewide"]],
  ["OR: roads, rivers and rails are no parcels", entry("us-or-metro").where?.match(/NOT LIKE/g)?.length, 3],
  ["MB: live with Winnipeg", required("MB"), ["ca-mb-roll-entry", "ca-mb-winnipeg"]],
  ["CT: the undated layer", entry("us-ct-statewide").layerName, "Connecticut_CAMA_and_Parcel_Layer"],
  ["OH: the layer of OGRIP", /OhioStatewidePacels_full_view/.test(entry("us-oh-statewide").url!), true],
  [
    "terms: VT and Winnipeg wait for the operator's word",
    ["us-vt-standard", "ca-mb-winnipeg"].filter(isAllowed),
    [],
  ],
  ["terms: NE is for nobody", isAllowed("us-ne-statewide"), false],
  [
    "terms: IN, OH, WI, NC and NJ are for anyone",
    ["us-in-statewide", "us-oh-statewide", "us-wi-statewide", "us-nc-onemap", "us-nj-modiv"].every(isAllowed),
    true,
  ],
])("%s", (_, came, expected) => {
  expect(came).toEqual(expected);
});
