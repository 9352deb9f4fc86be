import {sampleBarns, sampleVenues} from "../../sample/barns.ts";
import {readListFile} from "../signals/list-reader.ts";
import type {ListFeed} from "./feed.ts";

/** Rosters of sale barns. */
export const directory: ListFeed = {
  kind: "lists",
  source: "ams-lmr-datamart",
  sign: /\b(sale.?days?|auctions?|stock.?yards?|sale.?barns?|livestock market|slug)\b/i,
  takesAnyTable: true,
  read: readListFile,
  sample: (asOf) => [
    {name: "sample-venues.json", text: `${JSON.stringify(sampleVenues(sampleBarns, asOf), null, 1)}\n`},
  ],
};
