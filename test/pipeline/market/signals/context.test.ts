import {expect, test} from "vitest";
import {alertItems} from "../../../../pipeline/market/signals/context/alert-items.ts";
import {dieselItems} from "../../../../pipeline/market/signals/context/diesel-items.ts";
import {droughtItems} from "../../../../pipeline/market/signals/context/drought-items.ts";
import {facilityItems} from "../../../../pipeline/market/signals/context/facility-items.ts";
import {facilityRow} from "../../../../pipeline/market/signals/echo/facility.ts";
import type {GatheredRow} from "../../../../pipeline/market/signals/gather.ts";

const asOf = "2026-11-21";
const row = (values: Record<string, unknown>) =>
  ({source_date: asOf, source_path: "a", ...values}) as unknown as GatheredRow;
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

test("a state's alerts are those that bear on livestock or hauling; a county's are all that name it", () => {
  const events = [
    "Winter Storm Warning",
    "Extreme Heat Warning",
    "Red Flag Warning",
    "Air Quality Alert",
    "Rip Current Statement",
    "Small Craft Advisory",
    "Child Abduction Emergency",
  ];
  const items = alertItems(events.map(alert), asOf);
  const of = (keyType: string) =>
    items.filter((item) => item.keyType === keyType).map(({item}) => item.values["event"]);
  expect(of("county")).toEqual(events);
  expect(of("state")).toEqual(events.slice(0, 4));
});

test.each([
  ["cattle feedlots by industry code", {FacNAICSCodes: "112112 311611"}, true],
  ["dairies by the older code", {CWPSICCodes: "0241"}, true],
  ["feeding operations by permit component", {PermitComponents: "CAFO, Storm Water"}, true],
  ["no fish farms", {FacNAICSCodes: "112511"}, false],
  ["no packing plants", {FacNAICSCodes: "311611"}, false],
  ["nothing that is told neither code nor component", {}, null],
])("facility screening counts %s", (_, codes, livestock) => {
  const folded = Object.fromEntries(
    Object.entries({SourceID: "OK1", CWPName: "Made-up place", FacState: "OK", ...codes}).map(
      ([name, value]) => [name.toLowerCase(), value],
    ),
  );
  expect(facilityRow(folded, asOf)).toMatchObject({accept: {values: {livestock}}});
  const facility = row({key: "cwa/OK1", valid_from: asOf, county_fips: "40017", livestock});
  expect(facilityItems([facility], asOf).items).toHaveLength(livestock === true ? 1 : 0);
});

test("signals past their window have no item and are named with the age of the newest (L24)", () => {
  const map = (date: string, key: string) => row({key, valid_from: date, area_type: "county", d0_pct: 3});
  const drought = droughtItems(
    [map("2026-11-03", "40017"), map("2026-10-27", "40017"), map("2026-11-17", "40109")],
    asOf,
  );
  expect(drought.items.map(({key}) => key)).toEqual(["40109"]);
  expect(drought.leftOut).toEqual([{keyType: "county", key: "40017", signal: "drought", ageDays: 18}]);
  const diesel = dieselItems([row({key: "R30", signal: "diesel", valid_from: "2026-11-02"})], asOf);
  expect(diesel.items).toEqual([]);
  expect(diesel.leftOut.every(({ageDays}) => ageDays === 19)).toBe(true);
  const old = row({key: "cwa/OK1", valid_from: "2026-09-01", county_fips: "40017", livestock: true});
  expect(facilityItems([old], asOf).leftOut).toMatchObject([{signal: "facility_screening", ageDays: 81}]);
});
