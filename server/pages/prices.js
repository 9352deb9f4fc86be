// Prices: what cattle bring near a place.
import {ask} from "./ask.js";
import {chart} from "./charts.js";
import {cattleOf, count, element, headOf, limits, money, outLink, paragraph, priceOf, section, sourceName, table, unitOf} from "./dom.js";

/** The choices of cattle: classes, where a class stands for two commodities behind the first word of one. */
const choices = ["steers", "heifers", "feeder_bulls", "slaughter_cows", "slaughter_bulls", "bred_cows", "bred_heifers", "cow_calf_pairs", "baby_calves"];
const DAY_MS = 86_400_000;

document.forms.prices.querySelector("select").append(...choices.map((name) => new Option(name.replaceAll("_", " "), name)));

/** The place as parameters, and how it was read: a ZIP code, else the county of a town's barn, else the county that the server knows by these words. */
async function placeOf(given) {
  const text = given.trim();
  const [zip] = /\b\d{5}(-\d{4})?$|^\d+$/.exec(text) ?? [];
  if (zip !== undefined) return {place: {zip}};
  const [, town, code] = /^(.+?)[\s,]+([A-Za-z]{2})$/.exec(text) ?? [];
  const {records = []} = town ? await ask("/barns", {state: code.toUpperCase(), venue: town, limit: 100, evidence: "none"}).catch(() => ({})) : {};
  const barn = records.find(({city, county_fips: fips}) => fips && city?.toLowerCase() === town.toLowerCase());
  if (barn) return {place: {state: barn.state, county: barn.county_fips}, read: `Read as the town of a barn: ${barn.city}, in ${barn.county_name}, ${barn.state}.`};
  return {place: {county: text}, read: /\b(county|parish|borough)\b/i.test(text) ? "" : "Read as a county. For a town without a barn give its ZIP."};
}

export async function answer({place: text = "", class: choice = "steers", weight}) {
  const {place, read} = await placeOf(text);
  const [, use, name = choice] = /^(feeder|slaughter)_(.+)$/.exec(choice) ?? [];
  const kind = {class: name, commodity: use && `${use}_cattle`, weight};
  const [prices, barns, sales] = await Promise.all([
    ask("/price-by-county", {...place, ...kind, history: 12, limit: 8, curve: "full"}),
    ask("/barns", {...place, limit: 10, evidence: "none", radius: place.zip && 150}),
    ask("/latest-prices", {...place, ...kind, limit: 50, evidence: "none"}),
  ]);
  const bought = barnTable(barns, sales, kind);
  if (prices.records.length === 0 && sales.records.every(({venue_id: id}) => id == null)) return [paragraph("note", read), ...nothing(prices, bought)];
  const charts = element("div", {class: "charts"}, weeksChart(prices), weightChart(prices));
  return [paragraph("note", read), ...headline(prices), charts, countyTable(prices), bought, reporterTable(sales), placeTable(prices), limits(prices)];
}

function nothing({summary_reason: reason, nearest_market: market, result_status: status}, bought) {
  if (status === "unresolved_location") return [paragraph("notice", "The place is not known here: check the ZIP code, or write county and state.")];
  const {venue_name: barn, city, state, distance_mi: miles, last_sale_date: day} = market ?? {};
  const nearest = market && `The nearest barn with such a report is ${barn}, ${city}, ${state}: ${miles} miles, last sale ${day}.`;
  const words = paragraph("notice", "No sale of such cattle is reported near here. Try another class, or leave the weight empty.");
  return [words, paragraph("", reason), paragraph("", nearest), bought];
}

/** The newer official figure, else that of the weight curve; the first record's price for cattle that have none, and no figure where the pens are too few for one. */
function headline({summary, summaries = [], summary_reason: reason, records, as_of_date: asOf}) {
  const all = summary == null ? summaries : [summary, ...summaries.slice(1)];
  const figure = all[0];
  const one = figure === undefined ? records[0] : (figure.official ?? figure);
  const known = all.filter(({price_avg, official}) => price_avg !== null || official != null);
  const sentences = (known.length > 0 ? known : all.slice(0, 1)).flatMap(({price_avg, official, sentence}) => [official?.sentence, (price_avg !== null || !official) && sentence]);
  const told = figure === undefined ? [reason ?? "Each county's price is below.", one && `${cattleOf(one)}, ${one.county_name}, ${one.state}:`] : sentences;
  const words = told.map((each) => paragraph("sentence", each));
  if (one?.price_avg == null) return [...words, figure && measures(figure)];
  const {price_low: low, price_high: high, fit} = one;
  const range = low == null ? "" : `, ${fit ? "four pens in five within" : "from"} ${money(low)} to ${money(high)}`;
  const sold = figure?.official ? `Official week to ${one.week_end_date}` : `Sold ${spanOf(one)}`;
  const days = Math.round((Date.parse(asOf) - Date.parse(one.week_end_date ?? one.last_sale_date)) / DAY_MS);
  const head = fit ? `${count(fit.head_near)} head near this weight` : headOf({price_unit: figure?.price_unit, ...one});
  const line = element("p", {class: "figure"}, money(one.price_avg), element("small", {}, ` ${unitOf(figure ?? one)}${range}`));
  return [...words, line, paragraph("note", `${sold}, newest ${days} days old; ${head}. A report of past sales, not a bid.`), figure && measures(figure)];
}

/** The days of the sales behind a figure. */
const spanOf = ({first_sale_date: first, last_sale_date: last}) => (first == null || first === last ? last : `${first} to ${last}`);

/** What the same curve says beside its figure, each in a sentence. */
function measures({weight_lb: lb, value_per_head: perHead, slide, value_of_gain: gains = [], heifer_spread: heifers}) {
  const gain = gains.find(({value}) => value !== null);
  const words = [
    perHead != null && `That is ${money(perHead)} USD a head.`,
    slide != null && `From ${lb - 50} to ${lb + 50} lb the price ${slide < 0 ? "rises" : "falls"} by ${money(Math.abs(slide))} USD per cwt.`,
    gain && `Each pound gained from ${lb} to ${gain.to_weight_lb} lb is worth ${money(gain.value)} USD.`,
    heifers != null && `At this weight heifers bring ${money(Math.abs(heifers))} USD per cwt ${heifers < 0 ? "less" : "more"} than steers.`,
  ];
  return paragraph("note", words.filter(Boolean).join(" "));
}

/** Twelve weeks to the newest one; a week without a sale is a gap. */
function weeksChart({records}) {
  const record = records.find(({history = []}) => history.length > 1) ?? records[0];
  const weeks = record?.history ?? [];
  if (weeks.length === 0) return paragraph("note", "No weeks before this one are known here.");
  const last = Date.parse(weeks.at(-1).week_end_date);
  const x = Array.from({length: 12}, (_, at) => last - (11 - at) * 7 * DAY_MS);
  const byDay = new Map(weeks.map((week) => [Date.parse(week.week_end_date), week.price_avg]));
  return chart({
    title: `Twelve weeks, ${record.county_name}, ${record.state}`,
    summary: `${cattleOf(record)}: ${weeks.length} of 12 weeks have sales, from ${money(weeks[0].price_avg)} to ${money(weeks.at(-1).price_avg)} ${unitOf(record)}.`,
    unit: unitOf(record),
    x,
    xWords: (day) => new Date(day).toISOString().slice(5, 10),
    series: [{label: "price", mark: "--accent", values: x.map((day) => byDay.get(day) ?? null)}],
    rows: weeks.map((week) => ({"Week to": week.week_end_date, [unitOf(record)]: money(week.price_avg), Head: headOf({...record, ...week})})),
  });
}

/** Price by weight: the curve of each grade as a line, the pens behind it as points. */
function weightChart({summary, summaries = []}) {
  const {points, pens} = (summary ?? summaries[0])?.curve ?? {points: [], pens: []};
  if (points.length < 2) return paragraph("note", "No curve by weight: there is one for feeder steers and heifers, where enough pens were sold.");
  const grades = points[0].by_grade.map(({muscle_grade}) => muscle_grade);
  const all = [...points.map((point) => ({lb: point.weight_lb, point})), ...pens.map((pen) => ({lb: pen.avg_weight_lb, pen}))].sort((a, b) => a.lb - b.lb);
  const marks = {1: ["--accent", "--mark"], "1-2": ["--soft", "--ink"]};
  const priceOf = (point, grade) => point?.by_grade.find(({muscle_grade}) => muscle_grade === grade)?.price_avg;
  const series = grades.flatMap((grade) => [
    // Between two points the line goes straight; undefined is no gap.
    {label: `curve, grade ${grade}`, mark: marks[grade][0], isBare: true, values: all.map(({point}) => priceOf(point, grade))},
    {label: `pens, grade ${grade}`, mark: marks[grade][1], points: true, values: all.map(({pen}) => (pen?.muscle_grade === grade ? pen.price_avg : null))},
  ]);
  const pricesOf = (point) => Object.fromEntries(grades.map((grade) => [`Grade ${grade}, USD per cwt`, money(priceOf(point, grade))]));
  return chart({
    title: "Price by weight",
    summary: `The curve of ${count(pens.length)} pens, from ${points[0].weight_lb} to ${points.at(-1).weight_lb} lb; each point is a pen.`,
    unit: "USD per cwt",
    x: all.map(({lb}) => lb),
    xWords: (lb) => `${lb} lb`,
    series,
    rows: points.map((point) => ({"Weight, lb": point.weight_lb, ...pricesOf(point)})),
  });
}

const signalWords = {
  drought: ({worst_class: worst, d2_pct: severe}) => (worst == null ? "none" : `worst class ${worst}; ${severe} % of the area D2 or worse`),
  diesel: ({price_usd_per_gal: price}) => `${price} USD a gallon`,
  weather_alert: ({event, severity}) => [event, severity].filter(Boolean).join(", "),
  weather_forecast: ({periods: [first] = []}) => first && `${first.name}: ${first.summary ?? ""} ${first.temperature ?? ""} ${first.temperature_unit === "degC" ? "°C" : "°F"}`,
};

const areas = {county: "the county", state: "the state", padd: "its fuel region"};

/** Drought, diesel and weather of the place, the nearest of each. */
function placeTable({context, source_registry: sources}) {
  const rows = Object.entries(signalWords).flatMap(([signal, words]) => {
    const item = context.find((each) => each.signal === signal);
    const text = item && words(item.values);
    if (!text) return [];
    return {"": signal.replace("_", " "), Says: text, Of: areas[item.key_type] ?? "the place", Date: item.source_date, Source: sourceName(sources, item.source_id)};
  });
  return rows.length > 0 && section("The place", table("Drought, diesel and weather", rows));
}

/** The report behind a row, with a link to the publisher's document. */
const reportOf = ({report_title: title, report_url: page, document_url: document, upstream}) => outLink(document ?? page, title ?? (upstream?.report_slugs?.join(", ") || "–"));

function countyTable({records, evidence = []}) {
  const confidence = new Map(evidence.map((each) => [each.evidence_id, each.confidence?.level]));
  const rows = records.map((one) => ({
    County: `${one.county_name}, ${one.state}`,
    Cattle: cattleOf(one),
    Price: priceOf(one),
    Head: headOf(one),
    Sold: spanOf(one),
    "Miles to middle of county": one.distance_mi,
    Confidence: confidence.get(one.evidence_id),
    Report: reportOf(one),
  }));
  return section("By county", table("Prices by county, nearest first", rows));
}

function barnTable({records}, {records: sales, barns = []}, {class: kind, weight}) {
  const asked = {class: kind, frame: "medium_and_large", muscle_grade: "1", weight_bin: weight, price_unit: "per_cwt"};
  const atWeight = new Map(barns.map((barn) => [barn.venue_id, {...asked, ...barn}]));
  const rows = records.map((one) => {
    const sale = sales.find(({venue_id: id}) => id === one.venue_id);
    const sold = atWeight.get(one.venue_id) ?? sale;
    const doubt = one.schedule?.verified_by === "reported_sales" ? ", a guess from reported sales" : one.status === "unverified" ? ", not confirmed" : "";
    return {
      Barn: [one.venue_name, one.city, one.state].filter(Boolean).join(", "),
      Cattle: sold && cattleOf(sold),
      Price: sold && priceOf(sold),
      Sold: sold?.sale_date ?? one.last_reported_sale_date,
      Miles: one.distance_mi,
      "Next sale": one.next_sale_date && `${one.next_sale_date}${doubt}`,
      Phone: one.phone,
      Report: sale && reportOf(sale),
    };
  });
  return section("Barns", table("Sale barns, nearest first", rows, "No sale barn is known near here."));
}

const noTrend = {none: "no market test", partly: "no market test of some kinds"};

/** What reporters say of trend and demand, each report once. */
function reporterTable({records}) {
  const told = new Map(records.filter(({reporter}) => reporter != null).map((one) => [`${one.report_title} ${one.report_end_date}`, one]));
  const rows = [...told.values()].map((one) => ({
    Report: reportOf(one),
    Date: one.report_end_date ?? one.last_sale_date,
    Trend: [...new Set(one.reporter.trend.map(({text}) => text))].join(" ") || (noTrend[one.reporter.market_test] ?? "none stated"),
    Demand: [one.reporter.demand, one.reporter.demand_to].filter(Boolean).join(" to ").replaceAll("_", " "),
  }));
  return section("What the reporters say", table("Trend and demand, as reported", rows, "No reporter says a trend here."));
}
