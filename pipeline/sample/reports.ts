import {addDays, weekdayOf} from "../../lib/dates.ts";
import type {SampleFile} from "../market/feeds/feed.ts";
import {type SampleBarn, sampleBarns} from "./barns.ts";
import {marsBody} from "./mars-body.ts";
import {printedReport} from "./printed-report.ts";
import {sampleSale} from "./sale.ts";

const printedWeeks = 3;
const serviceWeeks = 8;

/** Gives the sales of the barns that print their reports, each as the text of a report. */
export function printedReports(asOf: string): SampleFile[] {
  return barnsOf("ams-text").flatMap((barn) =>
    saleDates(barn, asOf, printedWeeks).map((date) => {
      const sale = (on: string) => sampleSale(barn.slug, on);
      const text = printedReport(barn, sale(date), sale(addDays(date, -7)), sale(addDays(date, -364)));
      const fetchedOn = date < asOf ? addDays(date, 1) : asOf;
      return {name: `ams_${barn.slug}_${date}.txt`, text, fetchedOn};
    }),
  );
}

/** Gives the sales of the other barns as one answer of the market-news service. */
export function servedReports(asOf: string): SampleFile[] {
  const sales = barnsOf("mars").flatMap((barn) =>
    saleDates(barn, asOf, serviceWeeks).map((date) => ({barn, sale: sampleSale(barn.slug, date)})),
  );
  return [{name: "sample-detail.json", text: marsBody(sales)}];
}

function barnsOf(feed: SampleBarn["feed"]): SampleBarn[] {
  return sampleBarns.filter((barn) => barn.feed === feed);
}

/** Gives the last sale days of a barn up to the as-of date, newest first. */
function saleDates({saleWeekday}: SampleBarn, asOf: string, weeks: number): string[] {
  const newest = addDays(asOf, -((weekdayOf(asOf) - saleWeekday + 7) % 7));
  return Array.from({length: weeks}, (_, i) => addDays(newest, -7 * i));
}
