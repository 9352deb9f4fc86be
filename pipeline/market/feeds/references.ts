import {limitations} from "../../../lib/limitations.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {ReferencePage} from "../../../schemas/reference-page.ts";
import {slug} from "../documents/json-values.ts";
import {loadMarketSources} from "../reference/market-sources.ts";
import {referencePagesPath} from "../reference/reference-pages.ts";
import {citedId, everyState, lookupSql} from "../signals/context.ts";
import {type ReadSignalFile, reject, type SignalValues} from "../signals/reading.ts";
import {tableReader} from "../signals/signal-reader.ts";
import type {SignalFeed} from "./feed.ts";

/** Registry ids that a pointer may have, with the kind shown in answers and the words by which lists name it. */
const kinds: readonly {readonly id: MarketSourceId; readonly kind: string; readonly words: RegExp}[] = [
  {id: "state-brand-inspection-agencies", kind: "brand_inspection", words: /brand/i},
  {
    id: "state-agriculture-reference-pages",
    kind: "state_page",
    words: /state.?(agri|dep|ref)|department|licen[cs]e|market.?rule/i,
  },
  {
    id: "editorial-market-reference-sources",
    kind: "editorial",
    words: /editorial|glossary|extension|article|background|term/i,
  },
];
const addresses = ["url", "link", "website", "href"];
const checked = ["date", "readon", "checked", "accessed"];

/** Pointers to agencies and reference pages: a title, an https address, and a kind or registry id. The pages are not copied. */
export const references: SignalFeed = {
  kind: "signals",
  source: "editorial-market-reference-sources",
  sign: /\bkind\b/i,
  takesAnyTable: true,
  tables: ["references"],
  read: tableReader("references", {
    needs: [addresses],
    expected: "title, url and kind",
    columns(row, {file}) {
      const [title, url] = [row.text("title", "name", "agency"), row.text(...addresses)];
      if (title === null || url === null) reject("no_identity", "a pointer without a title or an address");
      if (!/^https?:\/\/\S+$/.test(url)) reject("bad_url", `expected https, got address ${url}`);
      const words = row.text("sourceid", "source", "kind", "type", "category") ?? title;
      const {id: source_id} =
        kinds.find(({id}) => id === words) ??
        kinds.find((kind) => kind.words.test(words)) ??
        reject("unknown_kind", `expected brand inspection, state page or editorial, got kind ${words}`);
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
  context: [
    {
      table: "references",
      signal: "references",
      newestOf: "key",
      // A pointer without a state applies to every state.
      places: {state: `if(area_type = 'state', [area], ${everyState})`},
      group: "key",
      // Lazy, because every command loads this file but only builds need the registry.
      get values() {
        const kind = lookupSql(
          citedId,
          kinds.map(({id, kind}) => [id, kind]),
        );
        const boundary = lookupSql(
          citedId,
          loadMarketSources().map(({id, citationBoundary}) => [id, citationBoundary]),
        );
        return ["title", "publisher", "url", `${kind} AS kind`, `${boundary} AS boundary`];
      },
      lasting: true,
      limitation: "A pointer to a page as read on its date; no content of it is copied or checked.",
      aged: [400, limitations.L29],
    },
  ],
  sample: ["sample.csv"],
};

/**
 * The shipped pointers as a file that was read, for a build of that day. A pointer of a state gives way to one of its kind that a
 * raw file has. An address confirmed after the as-of date holds from that date, undated.
 */
export function shippedReferences(
  pages: readonly ReferencePage[],
  asOf: string,
  readFiles: readonly ReadSignalFile[],
): ReadSignalFile {
  const dayIfPast = (day: string) => (day <= asOf ? day : null);
  const kindOf = ({area, source_id}: Pick<SignalValues, "area" | "source_id">) => `${area}|${source_id}`;
  const kindsInFiles = new Set(
    readFiles
      .filter(({reading}) => reading.table === "references")
      .flatMap(({reading}) => reading.rows)
      .filter(({area_type, source_date}) => area_type === "state" && (source_date ?? asOf) <= asOf)
      .map(kindOf),
  );
  const rows = pages.map(({state, title, agency, url, source_id, checked_on}): SignalValues => {
    const area = state ?? "US";
    const key = `${area}/${slug(title)}`;
    const area_type = state === null ? "nation" : "state";
    const dates = {valid_from: dayIfPast(checked_on) ?? asOf, source_date: dayIfPast(checked_on)};
    return {signal: "reference", key, ...dates, area_type, area, source_id, title, publisher: agency, url};
  });
  const newest =
    pages
      .flatMap(({checked_on}) => dayIfPast(checked_on) ?? [])
      .sort()
      .at(-1) ?? asOf;
  return {
    file: {
      path: referencePagesPath,
      absolutePath: referencePagesPath,
      ...{kind: "market", feedOrEntryId: "references", sizeBytes: 0, sha256: "", meta: null},
      ...{retrievedAt: `${newest}T00:00:00Z`, retrievedAtFrom: "mtime"},
    },
    reading: {
      table: "references",
      rows: rows.filter((row) => !kindsInFiles.has(kindOf(row))),
      ...{rejected: [], merged: 0, otherAccepted: 0, notes: {}, remark: null},
    },
  };
}
