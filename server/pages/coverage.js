// Coverage: states and counties as a map drawn from the build, how fresh each source is, how complete the fields are.
import {ask} from "./ask.js";
import {count, datum, element, field, table} from "./dom.js";
import {limits} from "./prices.js";

const SVG = "http://www.w3.org/2000/svg";
let topology;

export const fields = (asked) => [field({name: "state", label: "State (empty: all)", placeholder: "TX", maxlength: "2", value: asked.state})];

export async function answer({state = ""}) {
  const code = state.trim().toUpperCase();
  const [answer, map] = await Promise.all([ask("/coverage", {state: code}), readMap()]);
  const parts = [map && picture(map, answer, code), stateTable(answer, code)];
  if (answer.counties !== undefined) parts.push(countyTable(answer.counties));
  return [...parts, sourceTable(answer.sources), limits(answer)].filter(Boolean);
}

async function readMap() {
  topology ??= fetch(new URL("map.json", import.meta.url))
    .then((reply) => (reply.ok ? reply.json() : null))
    .catch(() => null);
  return topology;
}

/** The SVG path of a geometry of a TopoJSON file, whose arcs are quantized differences. */
function pathOf({arcs, transform: {scale, translate}}, {type, arcs: rings = []}) {
  const pointsOf = (index) => {
    let [x, y] = translate;
    const points = arcs[index < 0 ? ~index : index].map(([dx, dy]) => {
      x += dx * scale[0];
      y += dy * scale[1];
      return [x.toFixed(1), y.toFixed(1)];
    });
    return index < 0 ? points.reverse() : points;
  };
  const polygons = type === "Polygon" ? [rings] : rings;
  return polygons
    .flat()
    .map((ring) => `M${ring.flatMap(pointsOf).join("L")}Z`)
    .join("");
}

const statusClass = {live: "all", partial: "some"};

function picture(map, {states, counties}, code) {
  const byName = new Map(states.map((each) => [each.name, each]));
  const svg = document.createElementNS(SVG, "svg");
  const draw = (geometry, kind, title, state) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", pathOf(map, geometry));
    path.setAttribute("class", kind);
    const words = document.createElementNS(SVG, "title");
    words.append(title);
    path.append(words);
    if (state !== undefined) {
      path.setAttribute("data-state", state);
      path.addEventListener("click", () => {
        location.hash = `#coverage?state=${state}`;
      });
    }
    svg.append(path);
    return path;
  };
  const all = map.objects.states.geometries;
  const named = all.find(({properties}) => byName.has(properties.name) && code !== "" && byName.get(properties.name).state === code);
  const isOne = named !== undefined && counties !== undefined;
  if (isOne) {
    const loaded = new Map(counties.map((each) => [each.county_key, each]));
    const inside = map.objects.counties.geometries.filter(({id}) => String(id).padStart(5, "0").startsWith(named.id));
    for (const county of inside) {
      const has = loaded.get(county.id);
      draw(county, `county ${statusClass[has?.status] ?? ""}`, `${county.properties.name}: ${has ? `${count(has.parcels)} parcels` : "no parcels"}`);
    }
  } else {
    for (const geometry of all) {
      const has = byName.get(geometry.properties.name);
      draw(geometry, statusClass[has?.status] ?? "", has?.sentence ?? geometry.properties.name, has?.state);
    }
  }
  const loadedStates = states.filter(({status}) => status in statusClass).length;
  const words = isOne ? `Counties of ${named.properties.name}: ${counties.length} have parcels` : `${loadedStates} of ${states.length} states and provinces have parcels`;
  for (const [name, value] of Object.entries({
    class: "map",
    role: "img",
    "aria-label": `${words}. The tables below have the same.`,
    viewBox: "0 0 975 610",
  }))
    svg.setAttribute(name, value);
  if (isOne)
    requestAnimationFrame(() => {
      const {x, y, width, height} = svg.getBBox();
      svg.setAttribute("viewBox", [x - 2, y - 2, width + 4, height + 4].join(" "));
    });
  const legend = element("ul", {class: "legend"}, element("li", {class: "all"}, "whole"), element("li", {class: "some"}, "in part"), element("li", {}, "none"));
  return element("section", {}, element("h2", {}, words), svg, legend);
}

function stateTable({states}, code) {
  const shown = states.filter(({status, barns, priced_counties: priced}) => code !== "" || status in statusClass || barns > 0 || priced > 0);
  const columns = [
    {head: "State", cell: (one) => element("a", {href: `#coverage?state=${encodeURIComponent(one.state)}`}, datum(one.name))},
    {head: "Parcels", number: true, cell: (one) => count(one.parcels)},
    {head: "Counties with parcels", number: true, cell: ({counties}) => `${count(counties.with_parcels)} of ${count(counties.total)}`},
    {head: "As of", cell: (one) => one.vintage},
    {head: "Barns", number: true, cell: (one) => count(one.barns)},
    {head: "Counties with prices", number: true, cell: (one) => count(one.priced_counties)},
  ];
  return element(
    "section",
    {},
    element("h2", {}, "States with data"),
    shown.length === 0 ? element("p", {class: "notice"}, "Nothing is loaded there yet.") : table("States with data", columns, shown),
  );
}

const completeness = [
  ["situs_raw", "Address"],
  ["owner_name", "Owner"],
  ["acres", "Acres"],
  ["market_value", "Market value"],
  ["land_use_category", "Use"],
];

function countyTable(counties) {
  const share =
    (name, label) =>
    ({attributes = {}}) => {
      const value = attributes[name] ?? 0;
      return element("span", {}, element("meter", {min: 0, max: 1, value, "aria-label": label}), ` ${Math.round(value * 100)} %`);
    };
  const columns = [
    {head: "County", cell: (one) => one.county},
    {head: "Parcels", number: true, cell: (one) => count(one.parcels)},
    {head: "As of", cell: (one) => one.vintage},
    ...completeness.map(([name, label]) => ({head: label, cell: share(name, label)})),
  ];
  return element("section", {}, element("h2", {}, "How complete the fields are"), table("Share of parcels with a value", columns, counties));
}

function sourceTable(sources) {
  const columns = [
    {head: "Source", cell: (one) => one.name},
    {head: "Newest", cell: (one) => one.newest},
    {head: "Days old", number: true, cell: (one) => count(one.age_days)},
    {head: "Licence", cell: (one) => one.licence},
  ];
  return element("section", {}, element("h2", {}, "How fresh the sources are"), table("Sources", columns, sources));
}
