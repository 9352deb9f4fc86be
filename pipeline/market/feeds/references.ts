import {states} from "../../../lib/geography/states.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {slug} from "../json-values.ts";
import {loadMarketSources} from "../market-sources.ts";
import {firstSql, lookupSql, objectSql} from "../signals/context.ts";
import {reject} from "../signals/reading.ts";
import {tableReader} from "../signals/table.ts";
import {type SignalFeed, sampleTable} from "./feed.ts";

/** Registry ids that a pointer may belong to, by the words of its kind. */
const kinds: readonly [RegExp, MarketSourceId][] = [
  [/brand/i, "state-brand-inspection-agencies"],
  [/state.?(agri|dep|ref)|department|licen[cs]e|market.?rule/i, "state-agriculture-reference-pages"],
  [/editorial|glossary|extension|article|background|term/i, "editorial-market-reference-sources"],
];
const addresses = ["url", "link", "website", "href"];
const checked = ["date", "readon", "checked", "accessed"];

const kindWords = {
  "state-brand-inspection-agencies": "brand_inspection",
  "state-agriculture-reference-pages": "state_page",
  "editorial-market-reference-sources": "editorial",
};
const citedId = "first(source_id ORDER BY seq)";
const kindSql = lookupSql(citedId, Object.entries(kindWords));

/** SQL of what may be cited of a pointer's source; read from the registry when a build asks, since every command loads this file. */
function boundarySql(): string {
  return lookupSql(
    citedId,
    loadMarketSources().map(({id, citationBoundary}) => [id, citationBoundary] as const),
  );
}

/** Pointers to agencies and reference pages: a title, an https address, a kind or registry id. The pages are not copied. */
export const references: SignalFeed = {
  kind: "signals",
  source: "editorial-market-reference-sources",
  sign: /\bkind\b/i,
  takesAnyTable: true,
  tables: ["references"],
  read: tableReader("references", {
    of: "a list of pointers",
    needs: [addresses],
    expected: "title, url and kind",
    columns(row, {file}) {
      const [title, url] = [row.text("title", "name", "agency"), row.text(...addresses)];
      if (title === null || url === null) reject("no_identity", "a pointer without a title or an address");
      if (!/^https?:\/\/\S+$/.test(url)) reject("bad_url", `address ${url}; https was expected`);
      const words = row.text("sourceid", "source", "kind", "type", "category") ?? title;
      const [, source_id] =
        kinds.find(([, id]) => id === words) ??
        kinds.find(([pattern]) => pattern.test(words)) ??
        reject("unknown_kind", `kind ${words}; brand inspection, state page or editorial was expected`);
      const state = row.state("state");
      return {
        signal: "reference",
        key: `${state ?? "US"}/${slug(row.text("id") ?? title)}`,
        valid_from: row.date(...checked) ?? file.retrievedAt.slice(0, 10),
        area_type: state === null ? "nation" : "state",
        area: state ?? "US",
        source_id,
        source_date: row.date(...checked),
        title,
        publisher: row.text("publisher", "agency", "organization"),
        url,
      };
    },
  }),
  context: {
    table: "references",
    signal: "references",
    newestOf: "key",
    // A pointer of no state stands with every state.
    places: {
      state: `if(area_type = 'state', [area], [${states.map(({state}) => sqlText(state)).join(", ")}])`,
    },
    group: "key",
    sourceOf: citedId,
    get values() {
      return objectSql({...firstSql("title", "publisher", "url"), kind: kindSql, boundary: boundarySql()});
    },
    lasting: true,
    limitation: "A pointer to a page as read on its date; no content of it is copied or checked.",
  },
  sample: (asOf) =>
    sampleTable(
      "title,url,kind,state,date",
      `Sample brand inspection rules,https://sample.example/brands,brand inspection,TX,${asOf}`,
      `Sample department of agriculture,https://sample.example/agriculture,state agriculture page,TX,${asOf}`,
      `Sample glossary of cattle terms,https://sample.example/terms,editorial,,${asOf}`,
    ),
};
