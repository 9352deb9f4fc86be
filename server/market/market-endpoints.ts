import type {Endpoint} from "../http/endpoint.ts";
import {barns, cattleSaleBarnDirectory} from "./barns.ts";
import {dealersStats} from "./dealers-stats.ts";
import {latestPrices} from "./latest-prices.ts";
import {priceByCounty} from "./price-by-county.ts";
import {priceByState} from "./price-by-state.ts";

/** The six cattle-market endpoints, in the order of the contract. */
export const marketEndpoints: readonly Endpoint[] = [
  priceByCounty,
  priceByState,
  latestPrices,
  cattleSaleBarnDirectory,
  barns,
  dealersStats,
];
