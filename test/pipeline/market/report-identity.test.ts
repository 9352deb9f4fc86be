import {knownReports} from "@open-cattle/usda-reports";
import {expect, it} from "vitest";
import {reportIdentity} from "../../../pipeline/market/normalise/report-identity.ts";
import {loadVenues} from "../../../pipeline/market/reference/venues.ts";

const venues = loadVenues();

function identityOf(slug: string, title: string | null, type: string | null = null) {
  const place = {location_name: null, location_city: null, location_state: null};
  const published = {slug, report_title: title, market_type: type, market_type_category: null, ...place};
  return reportIdentity(published, {venues, titles: new Map()});
}

it("is one venue for all report numbers of a yard", () => {
  const yards = [
    ["1249", "Ozarks Regional Stockyards Feeder Cattle - West Plains, MO"],
    ["1651", "Ozarks Regional Stockyards Slaughter/Replacement - West Plains, MO"],
    ["1280", "Oklahoma National Stockyards Feeder Cattle - Oklahoma City, OK"],
    ["1823", "Oklahoma National Stockyards Slaughter/Replacement - OKC, OK"],
    ["99001", "Sample Yards Feeder Cattle - Sampleton, OK"],
    ["99002", "Sample Yards Slaughter/Replacement - Sampleton, OK"],
    ["99003", "Sample Yards Replacement Special - Sampleton, OK"],
  ] as const;
  expect(yards.map(([slug, title]) => identityOf(slug, title).venue_id)).toEqual([
    ...["mo-west-plains", "mo-west-plains", "ok-oklahoma-city", "ok-oklahoma-city"],
    ...["ok-sampleton-sample-yards", "ok-sampleton-sample-yards", "ok-sampleton-sample-yards"],
  ]);
});

it("is a video by its number even if titled like the yard that holds it, and then no sale of that yard", () => {
  expect(identityOf("2934", "Joplin Regional Stockyards - Carthage, MO (Monthly)")).toMatchObject({
    report_scope: "video_internet",
    venue_id: null,
    city: null,
  });
  expect(identityOf("1245", "Joplin Regional Stockyards Feeder Cattle - Carthage, MO")).toMatchObject({
    report_scope: "venue",
    venue_id: "mo-carthage",
  });
});

it("is a region rather than the state for Missouri's seven regional summaries", () => {
  const slugs = ["1785", "1837", "1838", "1841", "1842", "1845", "1847"];
  const scopes = slugs.map((slug) => identityOf(slug, "Missouri Weekly Cattle Auction Summary").report_scope);
  expect(new Set(scopes)).toEqual(new Set(["regional_summary"]));
  expect(identityOf("1821", "Missouri Weekly Cattle Auction Summary").report_scope).toBe("state_summary");
});

it("is a sale in the listed state for each listed sale by its title alone, and in a town but for two whose titles name none", () => {
  const sales = [...knownReports.values()].filter(
    ({kind, title}) => title !== undefined && /^(auction|special|board_sale|imported)$/.test(kind),
  );
  const found = sales.map(({slug, title, state}) => ({...identityOf(slug, title!), slug, listed: state}));
  expect(found.filter(({report_scope}) => report_scope !== "venue")).toEqual([]);
  expect(found.filter(({venue_id, state, listed}) => venue_id === null || state !== listed)).toEqual([]);
  expect(found.filter(({city}) => city === null).map(({slug}) => slug)).toEqual(["2083", "2173"]);
});
