import {sampleLicences} from "../../sample/barns.ts";
import {readListFile} from "../signals/list-reader.ts";
import type {ListFeed} from "./feed.ts";

/** Licence lists of states. */
export const dealers: ListFeed = {
  kind: "lists",
  source: "state-agriculture-reference-pages",
  sign: /\b(licen[cs]e+s?|permit|bond(ed)?|surety|registration|expir\w*|dealers?)\b/i,
  takesAnyTable: true,
  read: readListFile,
  sample: (asOf) => [{name: "sample-licences.csv", text: sampleLicences("TX", asOf)}],
};
