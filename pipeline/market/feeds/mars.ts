import {servedReports} from "../../sample/reports.ts";
import {readMars} from "../mars/reader.ts";
import type {PriceFeed} from "./feed.ts";

/** Auction reports of USDA My Market News, in the shapes of its service and of those who pass them on. */
export const mars: PriceFeed = {kind: "prices", source: "mars", read: readMars, sample: servedReports};
