import {printedReports} from "../../sample/reports.ts";
import {readPrintedReport} from "../ams-text/reader.ts";
import type {PriceFeed} from "./feed.ts";

/** Printed auction reports of USDA AMS as text. */
export const amsText: PriceFeed = {
  kind: "prices",
  source: "ams-lmr-datamart",
  read: readPrintedReport,
  sample: printedReports,
};
