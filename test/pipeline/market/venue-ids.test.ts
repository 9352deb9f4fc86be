import {expect, it} from "vitest";
import {isOnlyId, type VenueId, withKeptIds} from "../../../pipeline/market/reference/venue-ids.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {venueSaid} from "./answers/answer-build.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

const kept = (said: Partial<VenueId> & {venue_id: string}): VenueId => ({
  ...{
    state: "KS",
    city: "Elm",
    names: ["Elm Yards"],
    report_slugs: [],
    other_ids: [],
    first_seen: "2026-11-01",
  },
  ...said,
});
const elm = venueSaid({
  venueId: "ks-elm",
  name: "Elm Livestock",
  city: "Elm",
  state: "KS",
  reportSlugs: ["ams-9001"],
});
const idsOf = (ids: VenueId[], venues = [elm]) =>
  withKeptIds(venues, ids).map(({venueId, aliases}) => [venueId, ...aliases]);

it("V28 keeps the id of an earlier build for a venue with its report number, under its new name", () => {
  expect(idsOf([kept({venue_id: "ks-elm-elm-yards", report_slugs: ["ams-9001"]})])).toEqual([
    ["ks-elm-elm-yards", "Elm Yards", "ks-elm"],
  ]);
});

it("knows a venue again by its town and a name that it has or had", () => {
  const names = ["Elm Yards", "ELM LIVESTOCK"];
  expect(idsOf([kept({venue_id: "ks-elm-old", names})])).toEqual([
    ["ks-elm-old", "ELM LIVESTOCK", "Elm Yards", "ks-elm"],
  ]);
  expect(idsOf([kept({venue_id: "ks-oak-old", names, city: "Oak"})])).toEqual([
    ["ks-elm"],
    ["ks-oak-old", "ELM LIVESTOCK"],
  ]);
});

it("lets the oldest of two ids of one yard stand, and the younger be an alias", () => {
  const two = [
    kept({venue_id: "ks-elm-a", report_slugs: ["ams-9001"], names: ["Elm Livestock"]}),
    kept({venue_id: "ks-elm-b", names: ["Elm Livestock"], first_seen: "2026-11-08"}),
  ];
  expect(idsOf(two)).toEqual([["ks-elm-a", "ks-elm", "ks-elm-b"]]);
});

it("leaves the ids of other registered venues alone, and has venues of earlier builds without facts", () => {
  const oak = venueSaid({venueId: "ks-oak", name: "Oak Barn", city: "Oak", state: "KS"});
  const ids = [
    kept({venue_id: "ks-oak", city: "Oak", names: ["Oak Barn"], report_slugs: ["ams-9001"]}),
    kept({venue_id: "ks-fir", city: "Fir", names: ["Fir Barn"]}),
  ];
  const venues = withKeptIds([elm, oak], ids);
  expect(venues.map(({venueId}) => venueId)).toEqual(["ks-elm", "ks-oak", "ks-fir"]);
  expect(venues.map(isOnlyId)).toEqual([false, false, true]);
});

it("V28 changes no id, and tells no record withdrawn or new, for a roster that comes later", async () => {
  const folder = temporaryFolder();
  const put = (path: string, content: string, day: string) =>
    putRaw(folder.path, path, {content, retrievedAt: `${day}T05:00:00Z`});
  await put("mars/ams_9101.json", marsAnswer([marsRow()]), "2026-09-16");
  const first = await buildOn(folder.path, "2026-09-16");
  const roster =
    'slug_id,title,state,city,sale_days\n9101,"New Name Yards - Sample Creek, NE",NE,Sample Creek,Tuesday\n';
  await put("directory/roster.csv", roster, "2026-09-17");
  const second = await buildOn(folder.path, "2026-09-17");
  await opened(async (db) => {
    const idsIn = (build: WeeklyBuild) =>
      db.rows(
        `SELECT venue_id, venue_name, aliases FROM ${tableOf(build, "barns")} WHERE last_reported_sale_date IS NOT NULL`,
      );
    const [before] = await idsIn(first);
    const [after] = await idsIn(second);
    expect(after).toMatchObject({venue_id: before!["venue_id"], venue_name: "New Name Yards"});
    expect(after!["aliases"]).toContain(before!["venue_name"]);
    for (const table of ["state_prices", "latest_prices"]) {
      const told = await db.rows(`SELECT DISTINCT change_status AS status FROM ${tableOf(second, table)}`);
      expect([table, told]).toEqual([table, [{status: "unchanged"}]]);
    }
    const ids = await db.rows(
      `SELECT venue_id, first_seen::VARCHAR AS day FROM ${tableOf(second, "venue_ids")} WHERE venue_id = '${before!["venue_id"]}'`,
    );
    expect(ids).toEqual([{venue_id: before!["venue_id"], day: "2026-09-16"}]);
  });
  folder.remove();
}, 120_000);
