// Land: the parcel at an address, with a number, of an owner, or at a point.
import {ask} from "./ask.js";
import {copyButton, count, datum, element, limits, paragraph, section, sourceName, table, visible} from "./dom.js";

/** The lines of a card, as `cattle lookup` prints them: what it is about, its members, the unit, and the member that says how or when. */
export const cardLines = [
  ["Parcel number", "parcelId"],
  ["Address", "addressFull"],
  ["County", "county state"],
  ["Owner", "ownerName", "", "ownerKind"],
  ["Mail", "ownerAddressLine1 ownerCity ownerState ownerZipCode"],
  ["Area", "acres", "acres", "acresBasis"],
  ["Use", "landUseCategory"],
  ["Use code", "useCode useDescription"],
  ["Market value", "totalMarketValue", "USD", "marketValueYear"],
  ["Assessed value", "totalAssessedValue", "USD", "assessedYear"],
  ["Taxable value", "taxableValue", "USD"],
  ["Use value", "useValue", "USD"],
  ["Tax", "taxValue", "USD", "taxYear"],
  ["Sold", "transferDate"],
  ["Sale price", "transferPrice", "USD"],
  ["Building", "buildingArea", "sq ft"],
  ["Built", "yearBuilt"],
  ["Zoning", "zoningCode"],
  ["Subdivision", "subdivision"],
  ["Section", "secTwnRng"],
  ["Legal description", "legalDesc"],
  ["Point", "latitude longitude", "", "pointMethod"],
];

export async function answer({by, text = "", state, county}) {
  const [latitude, longitude] = text.split(/[\s,]+/);
  const questions = {
    address: ["address-lookup", {address: text, state, county}],
    number: ["parcel-id-lookup", {parcelId: text, state, county}],
    owner: ["owner-search", {owner: text, state, county, limit: 25}],
    point: ["location-search", {latitude, longitude, radius: 0.25, limit: 25}],
  };
  const [path, question] = questions[by] ?? questions.address;
  const reply = await ask(`/public/land-agent/property/${path}`, question).catch((refusal) => {
    if (/ambiguous-parcel|parcel-not-(found|covered)/.test(refusal.answer?.type)) return refusal.answer;
    throw refusal;
  });
  const {property, properties, candidates, detail, metadata = reply} = reply;
  if (property) return [card(property, metadata), limits(metadata)];
  if (candidates) return [paragraph("notice", detail), list("Candidates: choose one", candidates)];
  if (!properties) return [...none(reply), limits(reply)];
  const {total, totals} = metadata;
  const words = `${total === 1 ? "1 parcel" : `${count(total)} parcels`}${totals?.acres == null ? "" : `, ${count(totals.acres)} acres together`}; shown: ${properties.length}.`;
  return [paragraph("sentence", words), list("Parcels", properties), limits(metadata)];
}

/** What is said of the county where there is no parcel; where its service fails, the endpoint refuses. */
export const countyWords = {
  not_asked: "The county was not asked.",
  unsupported: "The county has no service that can be asked this.",
  county_unknown: "The question does not tell which county has it: add the county.",
  empty: "The county's own service has no such parcel.",
};

/** Why there is no parcel, what the county said, and what to do. */
function none({detail, lookup: {cadastreStatus: status = "not_asked"} = {}, coverage = []}) {
  const cure = "Check the spelling, look it up by owner or point, or ask the county's assessor.";
  const rows = coverage.map((one) => ({Place: one.county ?? one.state, Coverage: one.status, Parcels: one.rows, "As of": one.vintage}));
  return [paragraph("notice", detail), paragraph("", `${countyWords[status]} ${cure}`), table("What is loaded there", rows)];
}

function card(property, {sources = [], lookup = {}, generatedAt, buildId}) {
  const {default: usual = {}, fields = {}} = property.provenance ?? {};
  const textOf = (name) => {
    const value = property[name] ?? "";
    if (name === "transferDate") return String(value).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
    return /year|itude/i.test(name) || typeof value !== "number" ? String(value) : count(value);
  };
  const joined = (members) => members.split(" ").map(textOf).filter(Boolean).join(", ");
  const rows = cardLines.flatMap(([about, names, unit, note = ""]) => {
    const value = joined(names);
    if (value === "") return [];
    const {vintage, confidence, source} = {...usual, ...fields[names.split(" ")[0]]};
    const measure = unit === "USD" ? (property.currency ?? unit) : unit;
    const noted = joined(note);
    return [{"": about, Value: [value, measure, noted && `(${noted})`].filter(Boolean).join(" "), "As of": vintage, Confidence: confidence, Source: sourceName(sources, source)}];
  });
  const title = property.addressFull ?? property.parcelId ?? property.parcelUid;
  const number = property.parcelId == null ? `no parcel number, record ${property.parcelUid}` : `parcel ${property.parcelId}`;
  const where = lookup.origin === "dataset" ? "From the loaded data" : "From the county's own service";
  const cited = sources.map(({name, licence}) => [name, licence].filter(Boolean).join(", ")).join("; ");
  const citation = `${title} (${number}, ${property.county}, ${property.state}). ${cited}, as of ${usual.vintage}. Retrieved ${generatedAt}, build ${buildId}.`;
  const note = `${where}; match: ${visible(property.match?.type ?? "exact").replaceAll("_", " ")}.`;
  return section(title, paragraph("note", note), table("Parcel", rows), paragraph("note", citation), copyButton("Copy citation", citation));
}

/** Parcels, each with a link that asks for it alone. */
function list(caption, parcels) {
  const link = ({parcelUid, parcelId, state = ""}) =>
    element("a", {href: `#land?${new URLSearchParams({by: "number", text: parcelUid ?? parcelId, state})}`}, datum(parcelId ?? parcelUid));
  const rows = parcels.map((one) => ({
    Parcel: link(one),
    Address: one.addressFull ?? one.address,
    Owner: one.ownerName,
    Acres: one.acres,
    County: [one.county, one.state].filter(Boolean).join(", "),
  }));
  return table(caption, rows, "No parcel fits. Check the spelling, or add the county or another word.");
}
