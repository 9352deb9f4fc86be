import type {Point} from "@open-cattle/parcel-outlines";
import {countWithNoun} from "../../lib/counts.ts";
import {type BarnSale, barnFigure, newestSales} from "../../lib/market/barn-price.ts";
import {headWords, priceWords} from "../../lib/market/cell-words.ts";
import {type IssueSale, issuesOf, saleEvidence} from "../../lib/market/curve-evidence.ts";
import {nearLb} from "../../lib/market/curve-figure.ts";
import {type AreaPen, type CurveClass, curveClasses} from "../../lib/market/curve-summary.ts";
import {type AnswerContext, evidenceOf} from "../../lib/market/evidence.ts";
import {curveConfidence} from "../../lib/market/price-confidence.ts";
import type {BarnPrice} from "../../schemas/market-barn-price.ts";
import type {Evidence as MarketEvidence} from "../../schemas/market-evidence.ts";
import type {Barn} from "../../schemas/market-records.ts";
import type {Generation} from "../generation/generation.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Evidence} from "../tables/side-tables.ts";
import {registryOf, served} from "./asked-place.ts";
import type {barnOrders} from "./market-parameters.ts";
import {netAtVenue, type SellingCosts} from "./net-at-venue.ts";

type Question = {
  readonly from: Point;
  readonly miles: number;
  readonly state: string | undefined;
  readonly commodity: readonly string[] | undefined;
  readonly classes: readonly string[] | undefined;
  readonly weightLb: number | undefined;
  readonly costs: SellingCosts | null;
  readonly order: (typeof barnOrders)[number];
};

/** Envelope members, and the evidence of the prices. */
type Compared = {readonly extra: {barns?: BarnPrice[]}; readonly evidence: readonly Evidence[]};

/** At most this many barns, the nearest. */
const mostBarns = 25;

/**
 * What the barns around a place paid for feeder steers or heifers of a weight, each at its newest sale of the class in the last 28 days
 * (`docs/design/market.md` section 7.2): the best price, or with costs the best net, first. Empty for other questions, as for slaughter heifers.
 */
export function whichBarn(
  market: MarketArtifacts,
  {asOf, sample}: Pick<Generation, "asOf" | "sample">,
  {from, miles, state, commodity, classes, weightLb, costs, order}: Question,
): Compared {
  const kind = curveClasses.find((each) => classes?.length === 1 && each === classes[0]);
  const areFeeders = commodity?.includes("feeder_cattle") !== false;
  if (kind === undefined || weightLb === undefined || !areFeeders) return {extra: {}, evidence: []};
  const sales = newestSales(market.salePens.sales({around: {point: from, miles}, state}, kind));
  const context = {asOf, sample, registry: registryOf(market)};
  const ofBarns = sales
    .sort((a, b) => a.sale.miles! - b.sale.miles!)
    .slice(0, mostBarns)
    .map((barnSale) => barnPrice(market, context, {barnSale, kind, weightLb, costs, miles}));
  const ranked = order === "distance" ? ofBarns : byWorth(ofBarns, costs !== null);
  return {
    extra: {barns: ranked.map(({barn}) => barn)},
    evidence: ranked.flatMap(({evidence}) => evidence ?? []),
  };
}

type OfPrice = {readonly barn: BarnPrice; readonly evidence: Evidence | null};

/** Barns in the order of their price, or with costs of their net; those of one price stay as they stand, and those without one come last. */
export function byWorth<Of extends Pick<OfPrice, "barn">>(barns: readonly Of[], hasCosts: boolean): Of[] {
  const worth = ({barn}: Of) => (hasCosts ? barn.net_per_head : barn.price_avg) ?? Number.NEGATIVE_INFINITY;
  return barns.toSorted((a, b) => Number(worth(b) > worth(a)) - Number(worth(b) < worth(a)));
}

type OfBarn = {
  readonly barnSale: BarnSale<AreaPen<IssueSale>>;
  readonly kind: CurveClass;
  readonly weightLb: number;
  readonly costs: SellingCosts | null;
  /** The radius of the question. */
  readonly miles: number;
};

function barnPrice(market: MarketArtifacts, context: AnswerContext, asked: OfBarn): OfPrice {
  const {barnSale, kind, weightLb, costs} = asked;
  const {support, ...figure} = barnFigure(barnSale, {weightLb});
  const {venueId, venueName, state, date, miles: distance} = barnSale.sale;
  const evidence = figure.price_avg === null ? null : barnEvidence(context, asked, {...figure, support});
  const key = market.barns.keys.find((barn) => barn.venueId === venueId);
  const barn = {
    ...{venue_id: venueId, venue_name: venueName, city: key?.city ?? null, state},
    ...{distance_mi: distance!, sale_date: date, ...figure},
    ...nextSale(key === undefined ? null : (JSON.parse(market.barns.record(key.row)) as Barn), kind),
    ...(costs === null
      ? {freight_hd: null, net_per_head: null}
      : netAtVenue(costs, {weightLb, price: figure.price_avg, miles: distance!})),
    evidence_id: evidence?.evidence_id ?? null,
  };
  return {barn, evidence: evidence === null ? null : served(evidence)};
}

/** The next sale of a class by the rules that name it, or no cattle at all; null without one. */
function nextSale(barn: Barn | null, kind: CurveClass): Pick<BarnPrice, "next_sale_date" | "next_sale_kind"> {
  const sales = (barn?.schedule?.rules ?? []).flatMap(({kind: of, classes, next_sale_date: date}) =>
    date !== null && (classes.length === 0 || classes.includes(kind)) ? [{date, of}] : [],
  );
  const [next] = sales.sort((a, b) => (a.date < b.date ? -1 : 1));
  return {next_sale_date: next?.date ?? null, next_sale_kind: next?.of ?? null};
}

function barnEvidence(
  context: AnswerContext,
  {barnSale: {sale}, kind, weightLb, miles}: OfBarn,
  {support, basis, price_avg, head_count, avg_weight_lb}: ReturnType<typeof barnFigure<AreaPen<IssueSale>>>,
): MarketEvidence {
  const price = priceWords(price_avg!, "per_cwt");
  const [sales, isCurve] = [[...new Set(support.map((pen) => pen.sale))], basis === "curve"];
  const pens = `${countWithNoun(support.length, "pen")}, ${headWords(head_count, "per_cwt")}, ${avg_weight_lb} lb on average`;
  const how = isCurve
    ? `were worth about ${price} by the weight curve of its sale on ${sale.date}: ${pens} within ${nearLb} lb`
    : `brought about ${price} on ${sale.date}: ${pens}`;
  const sentence = `Medium and Large 1 ${kind} of ${weightLb} lb at ${sale.venueName}, ${sale.place} ${how}.`;
  return evidenceOf(context, {
    id: `wb-${sale.venueId}-${kind}-${weightLb}`,
    ...saleEvidence({sentence, last_sale_date: sale.date}, sales, {
      entities: [],
      radiusMiles: miles,
      isCounty: false,
    }),
    transformation: {
      rules: ["curve"],
      method: isCurve ? "robust_weight_curve" : "pens_near_weight",
      inputs: issuesOf(sales),
      parameters: {weight_lb: weightLb, pens: support.length},
    },
    confidence: curveConfidence({pens: support, venues: 1, agreement: 0.9, isUnsure: true}),
    implication: `Ask ${sale.venueName} what it expects for your cattle before you haul: weight, flesh, fill and the number sold differ.`,
    contradictions: null,
  });
}
