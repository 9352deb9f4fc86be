import {model, value} from "../../../lib/models/model.ts";
import {gathered, gatheredColumns} from "./signal-tables.ts";

/** True if the deployment may redistribute exchange settlements; else no futures value is published. */
export const futuresLicensed = value<boolean>("licence of exchange settlements");

/**
 * The publishable rows: with settlements if licensed, else only product, contract and date. In a continuous series the first day of
 * a new nearby contract is marked, because its change against the day before is no market move.
 */
export const signal_futures = model({
  name: "signal_futures",
  reads: [gathered.futures],
  columns: gatheredColumns("futures"),
  materialise: "table",
  sql: async (_, run) => `SELECT * REPLACE (
      contract_month <> lag(contract_month, 1, contract_month) OVER (PARTITION BY key ORDER BY valid_from) AS contract_roll
      ${(await run.value(futuresLicensed)) ? "" : ", NULL::DECIMAL(10, 4) AS settlement"}) FROM gathered_futures`,
});
