import type {Probed} from "../fetch/probe/probe.ts";
import {isStated} from "../parcels/bulk-terms.ts";
import {duration, size} from "./fetch-output.ts";
import {print, printJson, textTable} from "./output.ts";

/** Prints what a probe found of each source, then the rows that it read and why a source is not as its entry says. */
export function printProbed(found: readonly Probed[], json: boolean): void {
  if (json) {
    printJson(found.map(({source, ...probed}) => ({source: source.id, terms: termsOf({source}), ...probed})));
    return;
  }
  print(
    textTable(
      ["source", "found", "terms", "rows", "page", "size", "time", "reason"],
      found.map((probed) => {
        const {source, status, reason, rows, pageRows, cost} = probed;
        return [
          source.id,
          status,
          termsOf(probed),
          rows?.toLocaleString("en-US") ?? "-",
          pageRows?.toLocaleString("en-US") ?? "-",
          cost?.bytes == null ? "-" : size(cost.bytes),
          cost === null ? "-" : duration(cost.seconds),
          reason ?? "",
        ];
      }),
    ),
  );
  for (const {source, row} of found) {
    if (row === null || !("row" in row)) continue;
    const members = Object.entries(row.row).map(([name, value]) => `${name}=${shown(value)}`);
    print(`${source.id}: ${members.join(" · ")}`);
  }
  const count = (status: Probed["status"]) => found.filter((probed) => probed.status === status).length;
  print(
    `${count("ok")} as expected, ${count("moved")} moved, ${count("failed")} failed, ${count("not asked")} not asked`,
  );
}

/** Says what the terms of a source allow: of a feed they are its publisher's own offer. */
function termsOf({source: {entry, bulkRefusal}}: Pick<Probed, "source">): string {
  if (entry === null) return "-";
  if (bulkRefusal === null) return "may be taken";
  return isStated(entry.licence) ? "not taken whole" : "not known";
}

function shown(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value)
    ? value.map(shown).join(", ")
    : typeof value === "object"
      ? "{…}"
      : String(value).slice(0, 60);
}
