import {pathToFileURL} from "node:url";
import {isNotWhole} from "../../pipeline/fetch/fetch-states.ts";
import {type Cell, faults, matrixSources, playCell} from "./fault-matrix.ts";

// What one fault costs at each source that a night asks by default, and what the operator reads.
//
//   node test/fetch/fault-table.ts [source…]

const cures = /correct the entry|into the entry|add it to hosts|CATTLE_\w+|asked again in the next run/;

/** What is wrong with a cell: the fault cost more than its piece, or the operator reads too little; null if nothing is. */
export function wrongWith({source, keyed, fault, outcome, beside, lines}: Cell): string | null {
  const {status: got, reason, losses, files} = outcome;
  const isGood = got === "new" || got === "unchanged";
  if (beside.status !== "new" && beside.status !== "unchanged")
    return `the healthy source is ${beside.status}`;
  if (!isGood && (reason ?? "") === "") return `${got} without a reason`;
  if ((got === "failed" || got === "key refused") && !cures.test(reason!)) return "no cure";
  switch (fault) {
    case "first 500":
    case "half a page":
    case "clock a day off":
      return isGood ? null : `${got}: ${reason}`;
    case "optional column gone":
      if (!isGood) return `${got}: ${reason}`;
      return readsColumns(source) && (losses.length === 0 || lines.length === 0) ? "no loss is named" : null;
    case "id renamed":
      return !isGood && files === 0 ? null : `${got} with ${files} files`;
    case "403":
      if (source === "us-tx-archives") return got === "new" ? null : `${got}: the mirror was not asked`;
      return got === (keyed ? "key refused" : "failed") ? null : got;
    case "key refused":
      return got === "key refused" && lines.some((line) => line.includes("_FILE")) ? null : got;
    case "HTML":
    case "redirect":
      return got === "failed" && files === 0 ? null : `${got} with ${files} files`;
    case "list gone":
      return isGood || got === "failed" ? null : got;
  }
}

/** True for a source of which the night itself reads the columns; what others sent is stored as it came, and a build reads it. */
function readsColumns(source: string): boolean {
  return source === "echo" || source.includes("-statewide") || source.includes("-service");
}

/** What a cell costs the night. */
function costOf({source, outcome}: Cell): string {
  if (!isNotWhole(outcome))
    return outcome.losses.length === 0 ? "nothing" : `${outcome.losses.length} facts of ${source}`;
  return outcome.files + outcome.unchanged === 0 ? source : `a part of ${source}`;
}

/** Prints the matrix, of the named sources alone where some are named; the exit code is 1 when a cell is wrong. */
async function main(named: readonly string[]): Promise<void> {
  const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
  const count = {played: 0, wrong: 0};
  print(["source", "fault", "outcome", "costs", "the operator reads"]);
  print(new Array(5).fill("---"));
  for (const source of named.length === 0 ? matrixSources() : named)
    for (const fault of faults) {
      const cell = await playCell(source, fault);
      if (cell === null) {
        print([source, fault, "–", "–", "nothing here that this could hit"]);
        continue;
      }
      const wrong = wrongWith(cell);
      count.played++;
      if (wrong !== null) count.wrong++;
      const {outcome, lines} = cell;
      const reads = [...new Set([outcome.reason, ...lines.map((line) => line.replace(`${source}: `, ""))])];
      const said = reads
        .filter((each) => each !== null)
        .map((each) => each.replaceAll(/127\.0\.0\.1:\d+/g, "host"));
      print([
        source,
        fault,
        outcome.status,
        costOf(cell),
        said.join("; "),
        ...(wrong === null ? [] : [`WRONG: ${wrong}`]),
      ]);
    }
  process.stdout.write(`\n${count.played} cells played, ${count.wrong} wrong\n`);
  process.exitCode = count.wrong === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
