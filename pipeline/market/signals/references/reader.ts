import {UserError} from "../../../../lib/errors.ts";
import {folded, isObject, type Json, membersOf, objectsOf, slug, textAt} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {type RowOutcome, readRows, type SignalInput, type SignalReading} from "../reading.ts";
import {tableRows} from "../tables.ts";

/** Registry ids that a pointer may belong to, by the words of its kind. */
const kinds: readonly [RegExp, string][] = [
  [/brand/i, "state-brand-inspection-agencies"],
  [/state.?(agri|dep|ref)|department|licen[cs]e|market.?rule/i, "state-agriculture-reference-pages"],
  [/editorial|glossary|extension|article|background|term/i, "editorial-market-reference-sources"],
];

/**
 * Reads pointers to agencies and reference pages: CSV, or JSON as a list or as `{references: […]}`, each with a title and
 * an https address, and a kind or registry id. The pages themselves are not copied.
 */
export function readReferences({file, content}: SignalInput): SignalReading {
  const rows =
    content.kind === "text"
      ? tableRows(file, content.text)
      : content.kind === "json"
        ? listIn(content.body)
        : null;
  if (rows === null) {
    const came = content.kind === "json" ? membersOf(content.body) : content.kind;
    throw new UserError(`${file.path}: ${came} came; expected a list of pointers with title, url and kind.`);
  }
  const [first] = rows.map((row) => folded(row));
  if (first !== undefined && textAt(first, "url", "link", "website", "href") === null && !("url" in first))
    throw new UserError(
      `${file.path}: columns ${Object.keys(rows[0]!).join(", ")}; expected title, url and kind.`,
    );
  return readRows(rows, (row) => pointerRow(folded(row), file.retrievedAt.slice(0, 10)));
}

function listIn(body: unknown): Json[] | null {
  if (Array.isArray(body)) return objectsOf(body);
  const list = isObject(body) ? Object.values(body).find(Array.isArray) : undefined;
  return list === undefined ? null : objectsOf(list);
}

function pointerRow(row: Json, fetchedOn: string): RowOutcome {
  const [title, url] = [
    textAt(row, "title", "name", "agency"),
    textAt(row, "url", "link", "website", "href"),
  ];
  if (title === null || url === null)
    return {reject: "no_identity", detail: "a pointer without a title or an address"};
  if (!/^https?:\/\/\S+$/.test(url)) return {reject: "bad_url", detail: `address ${url}; https was expected`};
  const words = textAt(row, "sourceid", "source", "kind", "type", "category") ?? title;
  const sourceId =
    kinds.find(([, id]) => id === words)?.[1] ?? kinds.find(([pattern]) => pattern.test(words))?.[1];
  if (sourceId === undefined)
    return {
      reject: "unknown_kind",
      detail: `kind ${words}; brand inspection, state page or editorial was expected`,
    };
  const state = stateCode(textAt(row, "state"));
  return {
    accept: {
      table: "references",
      values: {
        signal: "reference",
        key: `${state ?? "US"}/${slug(textAt(row, "id") ?? title)}`,
        valid_from: dateFrom(textAt(row, "date", "readon", "checked", "accessed")) ?? fetchedOn,
        area_type: state === null ? "nation" : "state",
        area: state ?? "US",
        source_id: sourceId,
        source_date: dateFrom(textAt(row, "date", "readon", "checked", "accessed")),
        title,
        publisher: textAt(row, "publisher", "agency", "organization"),
        url,
      },
    },
  };
}
