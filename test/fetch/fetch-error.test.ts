import {expect, test} from "vitest";
import {cureOf, type FetchErrorKind} from "../../pipeline/fetch/client/fetch-error.ts";

test.each<[FetchErrorKind, number | null, RegExp | null]>([
  ["moved", null, null],
  ["refused", null, /correct the entry/],
  ["refused", 403, /correct the entry/],
  ["status", 401, /another network \(CATTLE_PROXY\), or bring the file by hand/],
  ["status", 403, /another network \(CATTLE_PROXY\), or bring the file by hand/],
  ["status", 404, /put the publisher's new one into the entry/],
  ["status", 410, /put the publisher's new one into the entry/],
  ["status", 500, /asked again in the next run/],
  ["timeout", null, /asked again in the next run/],
  ["connection", null, /asked again in the next run/],
])("what cures a source that failed by %s (status %s): %s", (kind, status, cure) => {
  expect(cureOf({kind, status})).toEqual(cure === null ? null : expect.stringMatching(cure));
});
