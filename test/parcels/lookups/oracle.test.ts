import {beforeAll, describe, expect, it} from "vitest";
import {addressKeys, addressLookupKeys} from "../../../lib/address/address-keys.ts";
import {scoreAddress} from "../../../lib/address/address-score.ts";
import {parseAddress} from "../../../lib/address/parse-address.ts";
import type {ScoredAddress} from "../../../lib/address/parsed-address.ts";
import {distanceMiles} from "../../../lib/distance.ts";
import {chooseAddress} from "../../../lib/matching/address-choice.ts";
import {findAddress} from "../../../lib/matching/address-match.ts";
import {findAround} from "../../../lib/matching/location-match.ts";
import {findOwners} from "../../../lib/matching/owner-match.ts";
import {chooseParcelId, findParcelId} from "../../../lib/matching/parcel-id-match.ts";
import {queryTokens, scoreOwner, scoreOwnerRoles} from "../../../lib/owner/owner-score.ts";
import {parseOwner} from "../../../lib/owner/parse-owner.ts";
import type {ParcelSet} from "../../../lib/parcel-artifacts.ts";
import {parcelIdMatchLevel} from "../../../lib/parcel-id/parcel-id-match.ts";
import {parcelIdReadings} from "../../../lib/parcel-id/parcel-id-query.ts";
import {rowAddress} from "../../../lib/parcel-record/values.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {inventedAddress, inventedId, inventedParcels, type Random, seededRandom} from "./invented-state.ts";
import {inventedSource} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

const rows = 700;
const questions = 1000;
const sources = () => inventedSource;
let random: Random;
let sets: ParcelSet[];

beforeAll(async () => {
  random = seededRandom(20261121);
  const root = temporaryFolder();
  const make = (state: string, counties: string[], lon: number) =>
    writeState(root, state, {parcels: inventedParcels(random, {count: rows, counties, lon, lat: 30.3})});
  sets = [await make("TX", ["48453", "48491"], -97.7), await make("OK", ["40001", "40003"], -97.66)];
});

/** Every row of every set, read one by one. */
function* everyRow(): Iterable<{set: ParcelSet; row: number; uid: string}> {
  for (const set of sets) {
    for (let row = 0; row < set.parcels.rows; row++)
      yield {set, row, uid: set.row(row).text("parcel_uid") ?? ""};
  }
}

const uidOf = ({set, row}: {set: ParcelSet; row: number}) => set.row(row).text("parcel_uid") ?? "";
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

describe("the index answers like a plain scan", () => {
  it("for parcel numbers in any form", () => {
    let found = 0;
    for (let at = 0; at < questions; at++) {
      const id = inventedId(random, random.below(rows));
      const asked = random.pick([
        id,
        id.toLowerCase(),
        id.replaceAll("-", ""),
        id.replace(/^0+/, ""),
        `TX-${id}`,
        `R${at}`,
      ]);
      const readings = parcelIdReadings(asked);
      const choice = chooseParcelId(findParcelId(sets, {readings, counties: null}));
      const scanned = [...everyRow()].flatMap(({set, row, uid}) => {
        const parcel = set.row(row);
        const matches = readings
          .filter(({state}) => state === null || state === set.state)
          .flatMap(
            ({forms}) => parcelIdMatchLevel(forms, parcel.text("parcel_id"), parcel.list("alt_ids")) ?? [],
          );
        const [best] = matches.sort((a, b) => b.score - a.score);
        return best === undefined ? [] : [{uid, ...best}];
      });
      const level = Math.min(...scanned.map((hit) => hit.level));
      const expected = scanned.filter((hit) => hit.level === level).map(({uid, score}) => `${uid} ${score}`);
      const hits = choice.kind === "none" ? [] : choice.kind === "one" ? [choice.hit] : choice.hits;
      expect(hits.map((hit) => `${uidOf(hit)} ${hit.match.score}`).sort()).toEqual(expected.sort());
      found += Number(hits.length > 0);
    }
    expect(found).toBeGreaterThan(questions / 2);
  });

  it("for addresses, exact, normalised and misspelt", () => {
    const kinds = new Set<string>();
    for (let at = 0; at < questions; at++) {
      const line = misspelt(inventedAddress(random), random);
      const address: ScoredAddress = {...parseAddress(line), raw: line};
      const set = random.pick(sets);
      const found = findAddress(set, {address, counties: null});
      const scanned = scanAddress(set, address);
      const [mine, plain] = [found, scanned].map((hits) => {
        const choice = chooseAddress(hits, {withUnit: address.unit !== null});
        const chosen = choice.kind === "none" ? [] : choice.kind === "one" ? [choice.hit] : choice.hits;
        return chosen.map((hit) => `${uidOf(hit)} ${hit.match.type} ${hit.match.score}`).sort();
      });
      expect(mine).toEqual(plain);
      for (const text of mine ?? []) kinds.add(text.split(" ")[1]!);
    }
    expect([...kinds].sort()).toEqual(["exact", "fuzzy", "normalized"]);
  });

  it("for places, with categories and pages", () => {
    for (let at = 0; at < questions; at++) {
      const point = {lat: 30.3 + (random.next() - 0.5) * 0.08, lon: -97.68 + (random.next() - 0.5) * 0.1};
      const question = {
        point,
        radiusMiles: random.pick([0.2, 1, 2]),
        use: random.pick([null, ["agriculture"], ["agriculture", "vacant"]]),
        residential: random.pick([null, true, false]),
        withUnaddressed: random.pick([true, false]),
        offset: random.below(20),
        limit: 1 + random.below(40),
      };
      const inside = [...everyRow()].flatMap(({set, row, uid}) => {
        const parcel = set.row(row);
        const [lat, lon] = [parcel.number("lat"), parcel.number("lon")];
        if (lat === null || lon === null) return [];
        const miles = distanceMiles(point, {lat, lon});
        const addressed = question.withUnaddressed || parcel.text("situs_status") === "numbered";
        return miles <= question.radiusMiles && addressed
          ? [{uid, miles, category: parcel.text("land_use_category")}]
          : [];
      });
      const filtered = question.use !== null || question.residential !== null;
      const kept = inside.filter(({category}) => {
        if (!filtered) return true;
        if (category === null) return false;
        if (question.residential !== null && question.residential !== (category === "residential"))
          return false;
        return question.use === null || question.use.includes(category);
      });
      const ordered = kept
        .map(({uid, miles}) => ({uid, miles: Math.round(miles * 1000) / 1000}))
        .sort((a, b) => a.miles - b.miles || compare(a.uid, b.uid));
      const page = findAround(sets, question);
      expect(page.total).toBe(kept.length);
      expect(page.beforeUse).toBe(inside.length);
      if (filtered) expect(page.unclassified).toBe(inside.filter(({category}) => category === null).length);
      expect(page.hits.map((hit) => ({uid: uidOf(hit), miles: hit.miles}))).toEqual(
        ordered.slice(question.offset, question.offset + question.limit),
      );
    }
  });

  it("for owners by words, with begun and misspelt ones", () => {
    const asked =
      "HARLOW|HARLOW DALE|DALE HARLOW|HARLOW JUNE|HARL|QUISTAD RA|VESTBURG|LUNDEBY LLC|SABERG|OSGARD TRUST|HARLOWW JUNE|ANNA|OSGARD FAMILY TRUST|LUNDEBY TOMAS ANITA";
    const scores = new Set<number>();
    for (const text of asked.split("|")) {
      const read = queryTokens(text);
      const tokens = "tokens" in read ? read.tokens : [];
      const scanned = scanOwners((lines, row) => {
        const names = [...lines, ...parseOwner(lines, "last_first").names.map((name) => name.text)];
        return scoreOwner(tokens, {tokens: row.list("owner_tokens"), names})?.score;
      });
      for (const {score} of scanned) scores.add(score);
      checkOwnerPages({tokens}, scanned);
    }
    expect([...scores].sort()).toEqual([0.6, 0.7, 0.8, 0.9, 0.95, 1]);
  });

  it("for owners by the roles of their names", () => {
    const asked: [string, string | null][] = [
      ["HARLOW", null],
      ["HARLOW", "DALE"],
      ["HARLOW", "D"],
      ["QUISTAD", "ANITA"],
      ["OSGARD", null],
    ];
    for (const [lastName, firstName] of asked) {
      const roles = {lastName, ...(firstName === null ? {} : {firstName})};
      const scanned = scanOwners(
        (lines) => scoreOwnerRoles(roles, parseOwner(lines, "last_first").names)?.score,
      );
      expect(scanned.length).toBeGreaterThan(0);
      checkOwnerPages({lastName, firstName}, scanned);
    }
  });
});

/** One letter of a line changed, dropped, doubled or left as it is. */
function misspelt(line: string, {next, below}: Random): string {
  const letters = [...line.matchAll(/[A-Z]{5,}/g)][0];
  if (letters === undefined || next() < 0.4) return line;
  const at = letters.index + below(letters[0].length);
  const kind = below(3);
  if (kind === 0) return line.slice(0, at) + line.slice(at + 1);
  return line.slice(0, at) + (kind === 1 ? "X" : line[at]! + line[at]!) + line.slice(at + 1);
}

function scanAddress(set: ParcelSet, address: ScoredAddress) {
  const asked = addressLookupKeys(address, address.raw ?? "");
  const hits = [];
  for (let row = 0; row < set.parcels.rows; row++) {
    const parts = rowAddress(set.row(row));
    const isCandidate = addressKeys(parts, parts.raw).some(
      ({key}) =>
        [...asked.exact, ...asked.sounds, ...asked.folded].includes(key) ||
        asked.prefixes.some((prefix) => key.startsWith(prefix)),
    );
    const match = isCandidate ? scoreAddress(address, parts) : null;
    if (match !== null) hits.push({set, row, match});
  }
  return hits;
}

type Scanned = {
  score: number;
  state: string;
  county: string;
  std: string;
  uid: string;
  category: string | null;
};

function scanOwners(
  score: (lines: string[], row: ReturnType<ParcelSet["row"]>) => number | undefined,
): Scanned[] {
  const hits = [...everyRow()].flatMap(({set, row, uid}) => {
    const parcel = set.row(row);
    const lines = parcel.text("owner_name")?.split("; ");
    const found = lines === undefined ? undefined : score(lines, parcel);
    if (found === undefined) return [];
    const text = (column: string) => parcel.text(column) ?? "";
    const category = parcel.text("land_use_category");
    return [
      {score: found, state: set.state, county: text("county_key"), std: text("parcel_id_std"), uid, category},
    ];
  });
  return hits.sort(
    (a, b) =>
      b.score - a.score ||
      compare(a.state, b.state) ||
      compare(a.county, b.county) ||
      compare(a.std, b.std) ||
      compare(a.uid, b.uid),
  );
}

/** Pages of 37, one after the other, are the scanned order; so is one of a county and a category. */
function checkOwnerPages(
  words: Parameters<typeof findOwners>[1]["words"],
  scanned: readonly Scanned[],
): void {
  const whole = {words, counties: null, use: null, residential: null};
  const paged: string[] = [];
  for (let offset = 0; offset === 0 || offset < scanned.length; offset += 37) {
    const page = findOwners(sets, {...whole, offset, limit: 37}, sources);
    expect(page.total).toBe(scanned.length);
    paged.push(...page.hits.map((hit) => `${uidOf(hit)} ${hit.match.score}`));
  }
  expect(paged).toEqual(scanned.map(({uid, score}) => `${uid} ${score}`));
  const part = findOwners(
    sets,
    {...whole, counties: new Set(["48491"]), use: ["vacant"], offset: 0, limit: 100},
    sources,
  );
  const inCounty = scanned.filter(({county}) => county === "48491");
  expect(part.hits.map(uidOf)).toEqual(
    inCounty.filter(({category}) => category === "vacant").map(({uid}) => uid),
  );
  expect(part.unclassified).toBe(inCounty.filter(({category}) => category === null).length);
}
