import {expect, test} from "vitest";
import {diesel} from "../../../../pipeline/market/feeds/diesel.ts";
import {echo} from "../../../../pipeline/market/feeds/echo.ts";
import {futures} from "../../../../pipeline/market/feeds/futures.ts";
import {nws} from "../../../../pipeline/market/feeds/nws.ts";
import {usdm} from "../../../../pipeline/market/feeds/usdm.ts";
import {contextOf, readText, type SignalValue, valuesOf} from "./read-text.ts";

const asOf = "2026-11-21";
const row = (values: SignalValue): SignalValue => ({source_date: asOf, source_path: "a", ...values});
const alert = (event: string) =>
  row({
    signal: "weather_alert",
    key: event,
    event,
    in_force: true,
    valid_from: "2026-11-20T00:00:00Z",
    valid_to: "2026-11-22T00:00:00Z",
    severity: "severe",
    county_fips: ["40017"],
    states: ["OK"],
  });

test("gives a state the alerts that affect livestock or hauling, and a county all that name it", async () => {
  const events = [
    "Winter Storm Warning",
    "Extreme Heat Warning",
    "Red Flag Warning",
    "Air Quality Alert",
    "Rip Current Statement",
    "Small Craft Advisory",
    "Child Abduction Emergency",
  ];
  const items = await contextOf(nws, events.map(alert), asOf);
  const of = (keyType: string) =>
    items.filter(({key_type}) => key_type === keyType).map(({item}) => item?.values["event"]);
  expect(of("county").sort()).toEqual(events.toSorted());
  expect(of("state").sort()).toEqual(events.slice(0, 4).sort());
});

test.each([
  ["cattle feedlots by industry code", {FacNAICSCodes: "112112 311611"}, true],
  ["dairies by the older code", {CWPSICCodes: "0241"}, true],
  ["feeding operations by permit component", {PermitComponents: "CAFO, Storm Water"}, true],
  ["no fish farms", {FacNAICSCodes: "112511"}, false],
  ["no packing plants", {FacNAICSCodes: "311611"}, false],
  ["nothing that is told neither code nor component", {}, null],
])("facility screening counts %s", async (_, codes, livestock) => {
  const record = {SourceID: "OK1", CWPName: "Made-up place", FacState: "OK", ...codes};
  const read = await readText(echo.read, "echo/a.json", {Results: {Facilities: [record]}});
  expect(valuesOf(read, "livestock")).toEqual([[livestock]]);
  const facility = row({
    key: "cwa/OK1",
    valid_from: asOf,
    source_date: null,
    county_fips: "40017",
    livestock,
  });
  expect(await contextOf(echo, [facility], asOf)).toHaveLength(livestock === true ? 1 : 0);
});

test("omits items past their window and names them with the age of the newest (L24)", async () => {
  const map = (date: string, area: string) =>
    row({signal: "drought", key: area, area, valid_from: date, area_type: "county", d0_pct: 3});
  const drought = await contextOf(
    usdm,
    [map("2026-11-03", "40017"), map("2026-10-27", "40017"), map("2026-11-17", "40109")],
    asOf,
  );
  expect(drought.flatMap(({key, item}) => (item === null ? [] : [key]))).toEqual(["40109"]);
  expect(drought.filter(({item}) => item === null)).toEqual([
    {key_type: "county", key: "40017", signal: "drought", item: null, age_days: 18},
  ]);
  const prices = await contextOf(diesel, [row({key: "3", signal: "diesel", valid_from: "2026-11-02"})], asOf);
  expect(prices.map(({key, item, age_days}) => [key, item, age_days])).toContainEqual(["TX", null, 19]);
  expect(prices.every(({item, age_days}) => item === null && age_days === 19)).toBe(true);
  const old = row({key: "cwa/OK1", valid_from: "2026-09-01", county_fips: "40017", livestock: true});
  expect(await contextOf(echo, [old], asOf)).toMatchObject([{signal: "facility_screening", age_days: 81}]);
});

test("reports an omitted signal once per place, with its youngest age or for lack of a licence", async () => {
  const settled = (product: string, valid_from: string, settlement: number | null) =>
    row({signal: "futures", key: product, product, contract_month: "2026-11", settlement, valid_from});
  const inKansas = async (...rows: SignalValue[]) =>
    (await contextOf(futures, rows, asOf)).filter(({key}) => key === "KS");
  const leftOut = {key_type: "state", key: "KS", signal: "futures", item: null};
  expect(
    await inKansas(settled("corn", "2026-11-10", 450), settled("live_cattle", "2026-11-12", 230)),
  ).toEqual([{...leftOut, age_days: 9}]);
  expect(
    await inKansas(settled("corn", "2026-11-20", null), settled("live_cattle", "2026-11-20", null)),
  ).toEqual([{...leftOut, age_days: null}]);
});
