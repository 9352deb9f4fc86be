import {type ArrowTable, checkRow, rowChecksum} from "@open-cattle/mapped-index";
import type {ArrowColumn} from "../../storage/arrow-file/arrow-columns.ts";
import {joinedList} from "../../storage/arrow-file/arrow-columns.ts";
import {writeArrowRows} from "../../storage/arrow-file/write.ts";
import {groupNames} from "../conform/file-cells.ts";
import type {ParcelLimitationId} from "./parcel-limitations.ts";
import type {ProvenanceContext, ProvenanceFacts} from "./provenance.ts";
import {type ProvenanceText, provenanceText} from "./provenance-text.ts";
import {factsJoiner} from "./record-facts.ts";
import {type RecordKind, readKind} from "./record-kind.ts";

/**
 * The kinds of a state's records by number, as `recordSelect` writes them, and the origins that they refer to
 * by number.
 */
export type StateKinds = {readonly kinds: readonly string[]; readonly origins: readonly ProvenanceFacts[]};

const columns: readonly ArrowColumn[] = [
  {name: "provenance", kind: "text", nullable: false},
  {name: "url_at", kind: "int32", nullable: true},
  {name: "limitations", kind: "list", nullable: false},
  {name: "sources", kind: "list", nullable: false},
  {name: "members", kind: "list", nullable: false},
  {name: "kind", kind: "text", nullable: false},
  {name: "crc32", kind: "uint32", nullable: false},
];

/** Replaces a missing URL position in the checksum. */
const noUrl = -1;

/** The columns that answers are built from, which `crc32` covers. */
const checked = ["provenance", "limitations", "sources", "members"] as const;

/** The texts shared by all records of one kind, and how to build their members. */
export type KindTexts = ProvenanceText & {
  /** Joins the stored values of a record with the member names of its kind. */
  readonly factsOf: (values: Uint8Array) => Uint8Array;
};

/**
 * Writes the provenance texts of a state for the date from which ages count; row `i` has number `i` in the
 * records. The file also holds the inputs of the texts, so that they can be generated again for another date.
 * Throws when the path exists.
 */
export async function writeProvenanceTexts(
  path: string,
  {kinds, origins}: StateKinds,
  context: Pick<ProvenanceContext, "asOf" | "sources">,
): Promise<void> {
  const rows = kinds.map((text, row) => {
    const kind = readKind(text);
    const {json, urlAt, limitations, sources} = provenanceText(kind, {
      ...context,
      originOf: originReader(kind, origins),
    });
    const sourceTexts = sources.map(
      ({id, vintage, isRetrieval}) => `${id} ${vintage}${isRetrieval ? " retrieved" : ""}`,
    );
    const members = kind.members.map(({name}) => name);
    const texts = [json, ...[limitations, sourceTexts, members].map((each) => Buffer.from(joinedList(each)))];
    return {
      provenance: json.toString(),
      url_at: urlAt,
      limitations,
      sources: sourceTexts,
      members,
      kind: text,
      crc32: rowChecksum(texts, row, urlAt ?? noUrl),
    };
  });
  await writeArrowRows({path, columns, rows, metadata: {origins: JSON.stringify(origins)}});
}

/** Reads back the inputs of the texts in a file. */
export function readStateKinds(table: ArrowTable): StateKinds {
  const kind = table.text("kind");
  const origins = JSON.parse(table.metadata.get("origins") ?? "[]") as ProvenanceFacts[];
  return {kinds: Array.from({length: table.rows}, (_, row) => kind.at(row) ?? ""), origins};
}

/**
 * Returns a reader for the texts of record kinds by number. Each is verified and read once, because millions
 * of records share some hundred kinds. Throws a `DamagedFileError` for a damaged one.
 */
export function provenanceReader(table: ArrowTable, path: string): (number: number) => KindTexts {
  const [json, urlAt] = [table.text("provenance"), table.number("url_at")];
  const [limitations, sources] = [table.list("limitations"), table.list("sources")];
  const members = table.list("members");
  const texts = checked.map((name) => table.text(name));
  const checksums = table.number("crc32");
  const check = (row: number) => {
    const slices = texts.map((column) => column.slice(row));
    checkRow(slices, {path, row, other: urlAt.at(row) ?? noUrl, checksum: checksums.at(row)});
  };
  const kindTexts: KindTexts[] = [];
  return (number) => {
    if (kindTexts[number] === undefined) check(number);
    kindTexts[number] ??= {
      json: Buffer.from(json.slice(number)),
      urlAt: urlAt.at(number),
      limitations: (limitations.at(number) ?? []) as ParcelLimitationId[],
      sources: (sources.at(number) ?? []).map((text) => {
        const [id = "", vintage = "", basis] = text.split(" ");
        return {id, vintage, isRetrieval: basis === "retrieved"};
      }),
      factsOf: factsJoiner(members.at(number) ?? []),
    };
    return kindTexts[number];
  };
}

function originReader(
  {origins: named}: RecordKind,
  origins: StateKinds["origins"],
): ProvenanceContext["originOf"] {
  const [usual = "", ...groups] = named;
  return (group) => {
    const own = group === "default" ? "" : (groups[groupNames.indexOf(group)] ?? "");
    const origin = origins[Number(own === "" ? usual : own)];
    if (origin === undefined) throw new RangeError(`no origin ${own || usual} of ${origins.length}`);
    return origin;
  };
}
