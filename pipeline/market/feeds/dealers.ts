import {sampleLicences} from "../../sample/dealers.ts";
import {readDealers} from "../signals/dealers/reader.ts";
import {licenceSources} from "../signals/lists/list-sources.ts";
import type {ListFeed} from "./feed.ts";

/** Licence lists of states. */
export const dealers: ListFeed = {
  kind: "lists",
  source: "state-agriculture-reference-pages",
  sign: /\b(licen[cs]e+s?|permit|bond(ed)?|surety|registration|expir\w*|dealers?)\b/i,
  takesAnyTable: true,
  read: (input, lists) => readDealers(input, licenceSources(lists)),
  sample: (asOf) => [{name: "sample-licences.csv", text: sampleLicences("TX", asOf)}],
};
