import {cpSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {brazos, layerEntry} from "../server/cadastre/county-fixture.ts";
import {type FakeArcgis, startFakeArcgis} from "../server/cadastre/fake-arcgis.ts";
import {temporaryFolder} from "../temporary-folder.ts";

const parcels = Array.from({length: 200}, (_, i) => ({
  attributes: {
    OBJECTID: i + 1,
    APN: `R-${i}-1`,
    SITUS: `${100 + i} OAKVALE RD`,
    OWNER: "QUISTAD HELGA",
    ACRES: 2.5,
    LASTUPDATE: Date.parse("2026-09-01T00:00:00Z"),
  },
  west: brazos.lon + (i % 20) * 0.004,
  south: brazos.lat + Math.floor(i / 20) * 0.004,
}));

/** A county on loopback, and a registry that queries it for parcels that the sample lacks. */
export type CountyOfMisses = FakeArcgis & {
  readonly registry: string;
  /** Writes the layer's URL into the registry, as an operator corrects an entry. */
  enter(url: string): void;
};

/** Starts a county with 200 invented parcels; `close` stops it. */
export async function startCounty(): Promise<CountyOfMisses> {
  const fake = await startFakeArcgis(parcels);
  const registry = join(temporaryFolder(), "sources");
  cpSync(join(packageRoot, "data/sources"), registry, {recursive: true});
  const enter = (url: string) =>
    writeFileSync(join(registry, "cadastre/us/tx.json"), JSON.stringify([layerEntry(url)]));
  enter(fake.url);
  return Object.assign(fake, {registry, enter});
}

/** The request for the county's n-th parcel, from 0. */
export const missOf = (n: number) =>
  `/public/land-agent/property/parcel-id-lookup?state=TX&county=Brazos&parcelId=R-${n}-1`;
