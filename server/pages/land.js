// Land: the parcel at an address, with a number, of an owner, or at a point.
import {ask} from "./ask.js";
import {count, datum, element, field, table, visible} from "./dom.js";

const base = "/public/land-agent/property";
const kinds = [
  ["address", "Address"],
  ["number", "Parcel number"],
  ["owner", "Owner"],
  ["point", "Point (latitude, longitude)"],
];

export const fields = (asked) => [
  field({name: "by", label: "Look up by", options: kinds, value: asked.by ?? "address"}),
  field({
    name: "text",
    label: "Address, number, name or point",
    placeholder: "116 W Bluestem Rd",
    value: asked.text,
    wide: true,
    required: "",
  }),
  field({name: "state", label: "State", placeholder: "TX", maxlength: "2", value: asked.state}),
  field({name: "county", label: "County (may be empty)", value: asked.county}),
];

/** The card's rows: member, label, unit. */
const members = [
  ["addressFull", "Address"],
  ["county", "County"],
  ["parcelId", "Parcel number"],
  ["ownerName", "Owner"],
  ["acres", "Area", "acres"],
  ["landUseCategory", "Use"],
  ["useDescription", "Use, as the county says"],
  ["useCode", "Use code"],
  ["totalMarketValue", "Market value", "USD"],
  ["totalAssessedValue", "Assessed value", "USD"],
  ["landValue", "Land value", "USD"],
  ["improvementValue", "Value of buildings", "USD"],
  ["yearBuilt", "Year built"],
  ["lastTransferDate", "Last transfer"],
  ["legalDesc", "Legal description"],
];

export async function answer({by = "address", text = "", state, county}) {
  const [latitude, longitude] = text.split(/[\s,]+/);
  const questions = {
    address: ["address-lookup", {address: text, state, county}],
    number: ["parcel-id-lookup", {parcelId: text, state, county}],
    owner: ["owner-search", {owner: text, state, county, limit: 25}],
    point: ["location-search", {latitude, longitude, radius: 0.25, limit: 25}],
  };
  const [path, question] = questions[by] ?? questions.address;
  const reply = await ask(`${base}/${path}`, question).catch((refusal) => {
    const known = ["/problems/ambiguous-parcel", "/problems/parcel-not-found", "/problems/parcel-not-covered"];
    if (known.includes(refusal.answer?.type)) return refusal.answer;
    throw refusal;
  });
  if (reply.property !== undefined) return [card(reply.property, reply.metadata), limitsOf(reply.metadata)];
  if (reply.candidates !== undefined) return [element("p", {class: "notice"}, datum(reply.detail)), list("Candidates: choose one", reply.candidates)];
  if (reply.properties === undefined) return none(reply);
  if (reply.properties.length === 0) return [element("p", {class: "notice"}, "No parcel fits. Check the spelling, or add the county or another word.")];
  const {total, totals} = reply.metadata;
  const words = `${count(total)} parcels${totals?.acres == null ? "" : `, ${count(totals.acres)} acres together`}; ${reply.properties.length} are shown.`;
  return [element("p", {class: "sentence"}, words), list("Parcels", reply.properties), limitsOf(reply.metadata)];
}

/** Why there is no parcel, what the county said, and what to do. */
function none({detail, lookup = {}, coverage = [], type}) {
  const county = {
    not_asked: "The county was not asked.",
    unsupported: "No county service can be asked here.",
    no_match: "The county's own service has no such parcel.",
  };
  const next = type.endsWith("not-found")
    ? "Check the spelling, or look it up by owner or point."
    : "It may still exist: ask the county's assessor, or look it up by owner or point.";
  const rows = coverage.map((each) => [each.county ?? each.state, each.status, count(each.rows), each.vintage]);
  const columns = ["Place", "Coverage", "Parcels", "As of"].map((head, at) => ({
    head,
    number: at === 2,
    cell: (row) => row[at],
  }));
  return [
    element("p", {class: "notice"}, datum(detail)),
    element("p", {}, county[lookup.cadastreStatus] ?? `County service: ${visible(lookup.cadastreStatus ?? "not asked").replaceAll("_", " ")}.`, " ", next),
    rows.length > 0 && table("What is loaded there", columns, rows),
  ].filter(Boolean);
}

function card(property, {sources = [], lookup = {}, generatedAt, buildId}) {
  const {default: usual = {}, fields: special = {}} = property.provenance ?? {};
  const names = new Map(sources.map(({id, name}) => [id, name]));
  const rows = members
    .filter(([name]) => property[name] != null)
    .map(([name, label, unit]) => {
      const {vintage, confidence, source} = {...usual, ...special[name]};
      const value = typeof property[name] === "number" && name !== "yearBuilt" ? count(property[name]) : property[name];
      return {
        label,
        value: unit === undefined ? value : `${value} ${unit}`,
        vintage,
        confidence,
        source: names.get(source) ?? source,
      };
    });
  const columns = [
    {head: "", cell: ({label}) => label},
    {head: "Value", cell: ({value}) => value},
    {head: "As of", cell: ({vintage}) => vintage},
    {head: "Confidence", number: true, cell: ({confidence}) => confidence},
    {head: "Source", cell: ({source}) => source},
  ];
  const title = property.addressFull ?? property.parcelId;
  const where = lookup.origin === "dataset" ? "From the loaded data" : "From the county's own service";
  const citation = `${title} (parcel ${property.parcelId}, ${property.county} County, ${property.state}). ${[...names.values()].join("; ")}, as of ${usual.vintage}. Retrieved ${generatedAt}, build ${buildId}.`;
  return element(
    "section",
    {},
    element("h2", {}, datum(title)),
    element("p", {class: "note"}, `${where}; match: ${property.match?.type ?? "exact"}.`),
    table("Parcel", columns, rows),
    copyButton(citation),
  );
}

function copyButton(citation) {
  const button = element("button", {type: "button", class: "quiet"}, "Copy citation");
  const shown = element("p", {class: "note"}, datum(citation));
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(visible(citation)).then(
      () => button.replaceChildren("Copied"),
      () => button.replaceChildren("Select and copy the text below"),
    );
  });
  return element("div", {}, button, shown);
}

function list(caption, parcels) {
  const columns = [
    {head: "Parcel", cell: (one) => parcelLink(one)},
    {head: "Address", cell: (one) => one.addressFull ?? one.address},
    {head: "Owner", cell: (one) => one.ownerName},
    {head: "Acres", number: true, cell: (one) => count(one.acres)},
    {head: "County", cell: (one) => [one.county, one.state].filter(Boolean).join(", ")},
  ];
  return table(caption, columns, parcels);
}

/** A link that asks for this one parcel. */
function parcelLink({parcelUid, parcelId, state}) {
  const question = new URLSearchParams({
    by: "number",
    text: parcelUid ?? parcelId,
    ...(state ? {state} : {}),
  });
  return element("a", {href: `#land?${question}`}, datum(parcelId ?? parcelUid));
}

function limitsOf({limitations = []}) {
  return element(
    "details",
    {open: ""},
    element("summary", {}, "Limits of this answer"),
    element(
      "ul",
      {},
      limitations.map((text) => element("li", {}, datum(text))),
    ),
  );
}
