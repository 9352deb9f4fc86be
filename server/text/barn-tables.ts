import type {BarnPrice, NearbyBarn} from "../../schemas/market-barn-price.ts";
import {type ColumnOf, type Description, joined, tableOf} from "./description.ts";
import {changeWords, priceWords} from "./market-record.ts";

type Tables = Description["tables"];

const money = (usd: number | null) => priceWords(usd, undefined);

/** `none within 25 lb; 359.00 at 780 lb`. */
function unpricedWords({reason, nearest_lot: lot}: BarnPrice): string {
  if (reason === "other_lots_alone") return "other grades or lots with comment alone";
  if (lot == null && reason === "none_of_the_grade") return "none of grade 1";
  return `none${reason === "none_of_the_grade" ? " of grade 1" : ""} within 25 lb${lot == null ? "" : `; ${money(lot.price_avg)} at ${lot.avg_weight_lb} lb`}`;
}

const priceColumns: readonly ColumnOf<BarnPrice>[] = [
  {header: "barn", cell: ({venue_name, city, state}) => joined([venue_name, city, state])},
  {header: "miles", cell: ({distance_mi}) => distance_mi, right: true},
  {header: "sale", cell: ({sale_date}) => sale_date},
  {
    header: "USD/cwt",
    cell: (barn) => (barn.reason === null ? money(barn.price_avg) : unpricedWords(barn)),
    right: true,
  },
  {header: "from", cell: ({basis}) => basis, priority: 1},
  {header: "pens", cell: ({pens}) => pens, right: true, priority: 1},
  {header: "head", cell: ({head_count}) => head_count, right: true},
  {header: "lb", cell: ({avg_weight_lb}) => avg_weight_lb, right: true, priority: 1},
  {header: "change", cell: ({change_week}) => changeWords(change_week), right: true, priority: 2},
  {header: "next sale", cell: ({next_sale_date}) => next_sale_date},
  {header: "freight", cell: ({freight_hd}) => money(freight_hd), right: true, priority: 1},
  {header: "net a head", cell: ({net_per_head}) => money(net_per_head), right: true},
];

/** The table of what barns paid for a class at a weight; none where an answer compares no barns. */
export function barnPriceTable(barns: readonly BarnPrice[] | undefined, cattle: string): Tables {
  if (barns === undefined) return [];
  const order = barns.some(({net_per_head}) => net_per_head !== null) ? ", by what is left a head" : "";
  return tableOf(priceColumns, barns, `Barns: Medium and Large 1 ${cattle}, newest sale of each${order}`);
}

const nearbyColumns: readonly ColumnOf<NearbyBarn>[] = [
  {header: "barn", cell: ({venue_name, city, state}) => joined([venue_name, city, state])},
  {header: "miles", cell: ({distance_mi}) => distance_mi, right: true},
  {header: "sale days", cell: ({sale_days}) => joined(sale_days)},
  {header: "last reported", cell: ({last_sale_date}) => last_sale_date},
  {header: "next sale", cell: ({next_sale_date}) => next_sale_date},
  {header: "phone", cell: ({phone}) => phone, priority: 1},
];

/** The table of the barns nearest to a ZIP; none where an answer names none. */
export function nearbyBarnTable(barns: readonly NearbyBarn[] | undefined): Tables {
  return barns === undefined ? [] : tableOf(nearbyColumns, barns, "Nearest barns");
}
