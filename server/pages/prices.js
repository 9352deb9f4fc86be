// Prices: what cattle bring near a place.
import {ask} from "./ask.js";
import {chart} from "./charts.js";
import {count, datum, element, field, money, outLink, table} from "./dom.js";

/** The choices of cattle, as parameters; one without a line of its own is a class. */
const cattle = {
  feeder_bulls: {class: "bulls", commodity: "feeder_cattle"},
  slaughter_cows: {class: "cows", commodity: "slaughter_cattle"},
  slaughter_bulls: {class: "bulls", commodity: "slaughter_cattle"},
};
const choices = ["steers", "heifers", ...Object.keys(cattle), "bred_cows", "bred_heifers", "cow_calf_pairs", "baby_calves"];
const WEEK_MS = 7 * 86_400_000;

export const fields = (asked) => [
  field({
    name: "place",
    label: "ZIP code, or county and state",
    placeholder: "85326, or Erath, TX",
    value: asked.place,
    required: "",
  }),
  field({
    name: "class",
    label: "Cattle",
    options: choices.map((name) => [name, name.replaceAll("_", " ")]),
    value: asked.class ?? "steers",
  }),
  field({name: "weight", label: "Weight, lb", inputmode: "decimal", placeholder: "550", value: asked.weight}),
];

/** The place as parameters: a ZIP code, else county and state. */
function placeOf(text) {
  const place = text.trim();
  if (/^\d{5}$/.test(place)) return {zip: place};
  const [, county, state] = /^(.*?)(?:\s+county)?,?\s+([A-Za-z]{2})$/i.exec(place) ?? [];
  return county ? {county, state: state.toUpperCase()} : {zip: place};
}

export async function answer(asked) {
  const place = placeOf(asked.place ?? "");
  const kind = {...(cattle[asked.class] ?? {class: asked.class}), weight: asked.weight};
  const near = "zip" in place ? place : {state: place.state, county: place.county};
  const [prices, barns, sales] = await Promise.all([
    ask("/price-by-county", {...place, ...kind, history: 12, limit: 8, curve: "full"}),
    ask("/barns", {...near, limit: 10, evidence: "none", ...("zip" in place ? {radius: 150} : {})}),
    ask("/latest-prices", {...near, ...kind, limit: 50, evidence: "none"}),
  ]);
  const atBarns = sales.records.some(({venue_id: id}) => id != null);
  if (prices.records.length === 0 && !atBarns) return nothing(prices, barns);
  return [
    ...headline(prices),
    element("div", {class: "charts"}, weeksChart(prices), weightChart(prices)),
    signals(prices.context),
    countyTable(prices),
    barnTable(barns, sales),
    limits(prices),
  ];
}

function nothing({summary_reason: reason, nearest_market: market, result_status: status}, barns) {
  const unknown = status === "unresolved_location";
  const words = unknown
    ? "The place is not known here: check the ZIP code, or write county and state."
    : "No sale of such cattle is reported near here. Try another class, or leave the weight empty.";
  const nearest =
    market && `The nearest barn with such a report is ${market.venue_name}, ${market.city}, ${market.state}: ${market.distance_mi} miles, last sale ${market.last_sale_date}.`;
  return [
    element("p", {class: "notice"}, words),
    ...[reason, nearest].filter(Boolean).map((text) => element("p", {}, datum(text))),
    unknown ? null : barnTable(barns, {records: []}),
  ];
}

/** The newer official figure, else that of the weight curve; the first record's price for cattle that have none, and no figure where the pens are too few for one. */
function headline({summary, summaries = [], summary_reason: reason, records}) {
  const all = summary == null ? summaries : [summary, ...summaries.slice(1)];
  const figure = all[0];
  const one = figure === undefined ? records[0] : (figure.official ?? figure);
  const unit = (figure ?? one)?.price_unit === "per_head" ? "USD a head" : "USD per cwt";
  const known = all.filter(({price_avg, official}) => price_avg !== null || official != null);
  const sentences = (known.length > 0 ? known : all.slice(0, 1)).flatMap(({price_avg, official, sentence}) =>
    official == null ? [sentence] : price_avg === null ? [official.sentence] : [official.sentence, sentence],
  );
  const shown = one?.price_avg == null ? undefined : one;
  return [
    ...(figure === undefined ? [reason ?? "Each county's price is below."] : sentences).map((sentence) => element("p", {class: "sentence"}, datum(sentence))),
    shown && element("p", {class: "figure"}, money(shown.price_avg), element("small", {}, ` ${unit}${rangeOf(shown)}`)),
    shown && element("p", {class: "note"}, `${soldWords(shown, figure?.official != null)}. A report of past sales, not a bid.`),
    figure && measures(figure),
  ].filter(Boolean);
}

const rangeOf = ({price_low: low, price_high: high, fit}) => (low == null ? "" : `, ${fit ? "four pens in five within" : "from"} ${money(low)} to ${money(high)}`);

/** When how many head were sold, or which official week counts them. */
function soldWords(one, isOfficial) {
  if (isOfficial) return `Official week to ${one.week_end_date}, ${count(one.head_count)} head`;
  return `Sold ${spanOf(one)}, ${one.fit ? `${count(one.fit.head_near)} head near this weight` : `${count(one.head_count)} head`}`;
}

/** What the same curve says beside its figure, each in a sentence. */
function measures({weight_lb: lb, value_per_head: perHead, slide, value_of_gain: gains = [], heifer_spread: heifers, grade_offset_pct: offset, residual_pens: far = []}) {
  const gain = gains.find(({value}) => value !== null);
  const than = (number, less, more) => (number < 0 ? less : more);
  const words = [
    perHead == null ? "" : `That is ${money(perHead)} USD a head.`,
    slide == null ? "" : `From ${lb - 50} to ${lb + 50} lb the price ${than(slide, "rises", "falls")} by ${money(Math.abs(slide))} USD per cwt.`,
    gain && `Each pound gained from ${lb} to ${gain.to_weight_lb} lb is worth ${money(gain.value)} USD.`,
    heifers == null ? "" : `At this weight heifers bring ${money(Math.abs(heifers))} USD per cwt ${than(heifers, "less", "more")} than steers.`,
    offset == null ? "" : `Grade 1-2 brings ${Math.abs(offset).toFixed(1)} % ${than(offset, "less", "more")} than grade 1.`,
    far.length === 0 ? "" : `${count(far.length)} ${far.length === 1 ? "pen was" : "pens were"} far from the curve and hardly ${far.length === 1 ? "counts" : "count"}.`,
  ].filter(Boolean);
  return words.length === 0 ? null : element("p", {class: "note"}, datum(words.join(" ")));
}

/** Twelve weeks to the newest one; a week without a sale is a gap. */
function weeksChart({records}) {
  const record = records.find(({history = []}) => history.length > 1) ?? records[0];
  const weeks = record?.history ?? [];
  if (weeks.length === 0) return element("p", {class: "note"}, "No weeks before this one are known here.");
  const last = Date.parse(weeks.at(-1).week_end_date);
  const x = Array.from({length: 12}, (_, at) => last - (11 - at) * WEEK_MS);
  const values = x.map((day) => weeks.find(({week_end_date}) => Date.parse(week_end_date) === day)?.price_avg ?? null);
  const cattle = [record.county_name, record.state].join(", ");
  return chart({
    title: `Twelve weeks, ${cattle}`,
    summary: `${weeks.length} of 12 weeks have sales, from ${money(weeks[0].price_avg)} to ${money(weeks.at(-1).price_avg)}.`,
    unit: record.price_unit === "per_head" ? "USD a head" : "USD per cwt",
    x,
    xWords: (day) => new Date(day).toISOString().slice(5, 10),
    series: [{label: "price", mark: "--accent", values}],
    columns: [
      {head: "Week to", cell: (week) => week.week_end_date},
      {head: "USD", number: true, cell: (week) => money(week.price_avg)},
      {head: "Head", number: true, cell: (week) => count(week.head_count)},
    ],
    rows: weeks,
  });
}

/** Price by weight: the curve of each grade as a line, the pens behind it as points. */
function weightChart({summary, summaries = []}) {
  const {points, pens} = (summary ?? summaries[0])?.curve ?? {points: [], pens: []};
  if (points.length < 2) return element("p", {class: "note"}, "No curve by weight: there is one for feeder steers and heifers, where enough pens were sold.");
  const grades = points[0].by_grade.map(({muscle_grade}) => muscle_grade);
  const all = [...points.map((point) => ({lb: point.weight_lb, point})), ...pens.map((pen) => ({lb: pen.avg_weight_lb, pen}))].sort((a, b) => a.lb - b.lb);
  const marks = {1: ["--accent", "--mark"], "1-2": ["--soft", "--ink"]};
  const priceOf = (point, grade) => point?.by_grade.find(({muscle_grade}) => muscle_grade === grade)?.price_avg;
  const series = grades.flatMap((grade) => [
    // Between two points the line goes straight; undefined is no gap.
    {label: `curve, grade ${grade}`, mark: marks[grade][0], isBare: true, values: all.map(({point}) => priceOf(point, grade))},
    {label: `pens, grade ${grade}`, mark: marks[grade][1], points: true, values: all.map(({pen}) => (pen?.muscle_grade === grade ? pen.price_avg : null))},
  ]);
  return chart({
    title: "Price by weight",
    summary: `The curve of ${count(pens.length)} pens, from ${points[0].weight_lb} to ${points.at(-1).weight_lb} lb; each point is a pen.`,
    unit: "USD per cwt",
    x: all.map(({lb}) => lb),
    xWords: (lb) => `${lb} lb`,
    series,
    columns: [
      {head: "Weight, lb", cell: ({weight_lb: lb}) => lb},
      ...grades.map((grade) => ({head: `Grade ${grade}, USD per cwt`, number: true, cell: (point) => money(priceOf(point, grade))})),
    ],
    rows: points,
  });
}

const signalWords = {
  drought: ["Drought", ({worst_class: worst, d2_pct: severe}) => (worst == null ? "none" : `worst class ${worst}; ${severe} % of the area D2 or worse`)],
  diesel: ["Diesel", ({price_usd_per_gal: price}) => `${price} USD a gallon`],
  weather_alert: ["Alert", ({event, severity}) => [event, severity].filter(Boolean).join(", ")],
  weather_forecast: [
    "Forecast",
    ({periods: [first] = []}) => first && `${first.name}: ${first.summary ?? ""} ${first.temperature ?? ""} ${first.temperature_unit === "degC" ? "°C" : "°F"}`,
  ],
};

function signals(context) {
  const items = Object.entries(signalWords).flatMap(([signal, [label, words]]) => {
    const item = context.find((each) => each.signal === signal);
    const text = item && words(item.values);
    return text
      ? [
          element(
            "li",
            {},
            element("strong", {}, label),
            datum(text),
            element("div", {class: "note"}, datum(`${item.key_type} ${item.key}, ${item.source_date}, ${item.source_id}`)),
          ),
        ]
      : [];
  });
  return items.length === 0 ? "" : element("section", {}, element("h2", {}, "The place"), element("ul", {class: "signals"}, items));
}

/** The report behind a row, with a link to the publisher's document. */
function reportOf({upstream, limitations = []}, isSample) {
  const slug = upstream?.report_slug;
  const number = /^ams-(\d+)$/.exec(slug ?? "")?.[1];
  if (slug == null || limitations.length > 0) return null;
  return number === undefined || isSample ? datum(slug) : outLink(`https://mymarketnews.ams.usda.gov/viewReport/${number}`, slug);
}

/** The days of the sales behind a figure. */
const spanOf = ({first_sale_date: first, last_sale_date: last}) => (first == null || first === last ? last : `${first} to ${last}`);
const isSampleAnswer = ({limitations = []}) => limitations.some((text) => text.startsWith("Generated sample"));
const cattleOf = ({class: kind, frame, muscle_grade: grade}) => [kind, frame?.replaceAll("_", " "), grade].filter(Boolean).join(" ").replaceAll("_", " ");

function countyTable(answer) {
  const confidence = new Map((answer.evidence ?? []).map((each) => [each.evidence_id, each.confidence?.level]));
  const columns = [
    {head: "County", cell: (one) => `${one.county_name}, ${one.state}`},
    {head: "Cattle", cell: cattleOf},
    {head: "lb", cell: (one) => one.weight_bin},
    {head: "USD", number: true, cell: (one) => money(one.price_avg)},
    {head: "Head", number: true, cell: (one) => count(one.head_count)},
    {head: "Sold", cell: spanOf},
    {head: "Miles to middle of county", number: true, cell: (one) => one.distance_mi},
    {head: "Confidence", cell: (one) => confidence.get(one.evidence_id)},
    {head: "Report", cell: (one) => reportOf(one, isSampleAnswer(answer))},
  ];
  return element("section", {}, element("h2", {}, "By county"), table("Prices by county, nearest first", columns, answer.records));
}

function barnTable(answer, sales) {
  const prices = Map.groupBy(sales.records, ({venue_id}) => venue_id);
  const atWeight = new Map(sales.barns?.map((barn) => [barn.venue_id, barn]));
  const sold = ({venue_id: id}) => atWeight.get(id) ?? prices.get(id)?.[0];
  const columns = [
    {head: "Barn", cell: (one) => `${one.venue_name}, ${one.city ?? ""} ${one.state}`},
    {head: "USD there", number: true, cell: (one) => money(sold(one)?.price_avg)},
    {head: "Sold", cell: (one) => sold(one)?.sale_date ?? one.last_reported_sale_date},
    {head: "Miles", number: true, cell: (one) => one.distance_mi},
    {
      head: "Next sale",
      cell: (one) =>
        one.next_sale_date &&
        `${one.next_sale_date}${one.schedule?.verified_by === "reported_sales" ? ", a guess from reported sales" : one.status === "unverified" ? ", not confirmed" : ""}`,
    },
    {head: "Phone", cell: (one) => one.phone},
    {head: "Report", cell: (one) => reportOf({upstream: {report_slug: one.report_slugs?.[0]}}, isSampleAnswer(answer))},
  ];
  const words = answer.records.length === 0 ? element("p", {}, "No sale barn is known near here.") : table("Sale barns, nearest first", columns, answer.records);
  return element("section", {}, element("h2", {}, "Barns"), words);
}

/** The limitations of an answer, and its dates. */
export function limits({limitations = [], build_id: build, as_of_date: asOf}) {
  const list = element(
    "ul",
    {},
    limitations.map((text) => element("li", {}, datum(text))),
  );
  return element("details", {open: ""}, element("summary", {}, `Limits of this answer (build ${build}, ages count to ${asOf})`), list);
}
