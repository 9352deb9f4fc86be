import {expect, test} from "vitest";
import {isHtml, tagsOf, withoutKey} from "../../pipeline/fetch/jobs/document.ts";
import type {Snapshot} from "../../pipeline/fetch/snapshots/snapshot-folder.ts";

test.each([
  ["key k/1 and k/1", "key (key) and (key)"],
  ["https://a.example/?key=k%2F1&x=1", "https://a.example/?key=(key)&x=1"],
  [`Basic ${Buffer.from("k/1:").toString("base64")}`, "Basic (key)"],
  ["k 1", "k 1"],
])("reduces %j without its key to %j", (text, expected) => {
  expect(withoutKey(text, "k/1")).toBe(expected);
  expect([withoutKey(text, null), withoutKey(text, "")]).toEqual([text, text]);
});

test.each([
  ["<!DOCTYPE html><p>", true],
  ["\uFEFF \n<html lang='en'>", true],
  ["<body>", true],
  ["<headline>", false],
  ["<?xml version='1.0'?><html>", false],
  ['{"a":"<html>"}', false],
  ["", false],
])("recognises %j as an HTML page: %s", (text, expected) => {
  expect(isHtml(text)).toBe(expected);
});

const url = "https://a.example/list.csv";
const snapshot = (meta: object) => ({meta: {url, ...meta}}) as unknown as Snapshot;

test.each<[Snapshot | null, object]>([
  [null, {}],
  [snapshot({}), {}],
  [snapshot({etag: '"1"'}), {"if-none-match": '"1"'}],
  [
    snapshot({last_modified: "Fri, 20 Nov 2026 05:30:00 GMT"}),
    {"if-modified-since": "Fri, 20 Nov 2026 05:30:00 GMT"},
  ],
  [snapshot({etag: '"1"', last_modified: "Fri"}), {"if-none-match": '"1"', "if-modified-since": "Fri"}],
  [snapshot({etag: null, last_modified: null}), {}],
  [snapshot({etag: '"1"', url: "https://a.example/other.csv"}), {}],
])("revalidates by the ETags of the newest file from this URL: %j", (newest, tags) => {
  expect(tagsOf(newest, url)).toEqual(tags);
});
