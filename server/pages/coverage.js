// Coverage: states and counties as a map drawn from the build, how fresh each source is, how complete the fields are.
import {ask} from "./ask.js";
import {datum, element, limits, section, table} from "./dom.js";

const statusClass = {live: "all", partial: "some"};
const mapReply = () => fetch(new URL("map.json", import.meta.url)).then((reply) => reply.json());

export async function answer({state = ""}) {
  const code = state.trim().toUpperCase();
  const [known, map] = await Promise.all([ask("/coverage", {state: code}), mapReply().catch(() => null)]);
  return [map && picture(map, known, code), stateTable(known, code), known.counties && countyTable(known.counties), sourceTable(known.sources), limits(known)];
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
  const all = type === "Polygon" ? rings : rings.flat();
  return all.map((ring) => `M${ring.flatMap(pointsOf).join("L")}Z`).join("");
}

function drawn(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The counties of the one state that is asked, else all states. */
function picture(map, {states, counties}, code) {
  const byName = new Map(states.map((each) => [each.name, each]));
  const {states: outlines, counties: all} = map.objects;
  const one = outlines.geometries.find(({properties}) => code !== "" && byName.get(properties.name)?.state === code);
  const byCounty = new Map(counties?.map((each) => [each.county_key, {...each, sentence: `${each.county}: ${each.parcels} parcels`}]));
  const areas = one ? all.geometries.filter(({id}) => id.startsWith(one.id)) : outlines.geometries;
  const shapes = areas.map((area) => {
    const has = one ? byCounty.get(area.id) : byName.get(area.properties.name);
    const title = drawn("title", {}, has?.sentence ?? `${area.properties.name}: nothing`);
    return drawn("path", {d: pathOf(map, area), class: `${one ? "county" : "state"} ${statusClass[has?.status] ?? ""}`}, title);
  });
  const loaded = states.filter(({status}) => status in statusClass).length;
  const words = one ? `Counties of ${one.properties.name}: ${byCounty.size} have parcels` : `${loaded} of ${states.length} states and provinces have parcels`;
  const svg = drawn("svg", {class: "map", role: "img", "aria-label": `${words}. The tables below have the same.`, viewBox: "0 0 975 610"}, ...shapes);
  if (one)
    requestAnimationFrame(() => {
      const {x, y, width, height} = svg.getBBox();
      svg.setAttribute("viewBox", [x - 2, y - 2, width + 4, height + 4].join(" "));
    });
  const legend = element("ul", {class: "legend"}, element("li", {class: "all"}, "whole"), element("li", {class: "some"}, "in part"), element("li", {}, "none"));
  return section(words, svg, legend);
}

function stateTable({states}, code) {
  const known = states.filter(({status, barns, priced_counties: priced}) => code !== "" || status in statusClass || barns > 0 || priced > 0);
  const rows = known.map((one) => ({
    State: element("a", {href: `#coverage?state=${encodeURIComponent(one.state)}`}, datum(one.name)),
    Parcels: one.parcels,
    "Counties with parcels": [one.counties.with_parcels, ...(one.counties.total === null ? [] : [one.counties.total])].join(" of "),
    "As of": one.vintage,
    Barns: one.barns,
    "Counties with prices": one.priced_counties,
  }));
  return section("States with data", table("Choose a state to see its counties", rows, "Nothing is loaded there yet."));
}

function countyTable(counties) {
  const fields = {Address: "situs_raw", Owner: "owner_name", Acres: "acres", "Market value": "market_value", Use: "land_use_category"};
  const share = (label, value = 0) => element("span", {}, element("meter", {value, "aria-label": label}), ` ${Math.round(value * 100)} %`);
  const sharesOf = (of = {}) => Object.fromEntries(Object.entries(fields).map(([label, field]) => [label, share(label, of[field])]));
  const rows = counties.map(({county, parcels, vintage, attributes}) => ({County: county, Parcels: parcels, "As of": vintage, ...sharesOf(attributes)}));
  return section("How complete the fields are", table("Share of parcels with a value", rows, "No county has parcels there yet."));
}

function sourceTable(sources) {
  const rows = sources.map((one) => ({Source: one.name, Newest: one.newest, "Days old": one.age_days, Licence: one.licence}));
  return section("How fresh the sources are", table("Sources", rows));
}
