import {describe, expect, it} from "vitest";
import {loadCadastreSources} from "../../lib/registry/cadastre-sources.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import type {LayerSource} from "../../server/cadastre/layers.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {differences, fourWays, ways} from "./four-ways.ts";
import {inventedReply} from "./invented-replies.ts";

const seed = Number(process.env["SEED"] ?? 20261123);

/** Layers of two states with a map that a person wrote, and layers of counties whose map is proposed. */
const states = [
  {state: "TX", key: "48041", written: ["us-tx-service"]},
  {state: "WI", key: "55137", written: ["us-wi-statewide"]},
] as const;

describe(`one parcel, four ways, one record (SEED=${seed})`, () => {
  it.each(states)(
    "in answers of $written, and of layers whose map is proposed",
    async ({state, key, written}) => {
      const random = seededRandom(seed);
      const county = {country: "US", state, key} as const;
      const registered = loadParcelSources().filter(({id}) =>
        written.some((each) => each === id),
      ) as LayerSource[];
      const own = loadCadastreSources()
        .of("US", state)
        .filter(({coverage: {counties, places}}) => counties.length === 1 && places === undefined)
        .slice(0, 3);
      const replies = [...registered, ...own].map((source, i) => {
        const {counties} = source.coverage;
        const asked = counties === "all" ? county : {...county, key: counties[0]!};
        return inventedReply(random, source, {
          county: asked,
          statewide: counties === "all",
          prefix: `R${i}`,
          rows: 40,
        });
      });
      const found = await fourWays(replies);
      // Chance makes a few rows that a file's checks reject.
      expect(found.size).toBeGreaterThan(150);
      for (const said of found.values()) expect(Object.keys(said)).toEqual([...ways]);
      expect(differences(found)).toEqual([]);
    },
  );
});
