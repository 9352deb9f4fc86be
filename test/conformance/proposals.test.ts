import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {draftOf, type ProposeOptions} from "../../pipeline/commands/propose-options.ts";
import {type ProposedEntry, proposeEntry} from "../../pipeline/parcels/propose/propose-entry.ts";
import {casesOf} from "../cases-of.ts";
import {corpus} from "./corpus.ts";

/**
 * The mapping found by a person: our columns (or `id`, `area`, `use`, `year`, `county`) with the file's columns; several form
 * one value.
 */
type Truth = Readonly<Record<string, string>>;

/** The files of `new-counties` and `new-counties-2` with the truth of their README, and the layouts of the cases of parcels and addresses. */
const layouts = casesOf<[path: string, options: ProposeOptions, truth: Truth]>("proposed-layouts.txt");

const ofOwner = /^(?:owner|mail)_/;

/** The columns of the file that a proposal puts into one of ours. */
function proposed({entry}: ProposedEntry, column: string): string | null {
  const joined = (names: string | readonly string[] | undefined) =>
    names === undefined ? null : [names].flat().join(" + ");
  const nameOf = (spec: unknown) =>
    typeof spec === "string" ? spec : joined((spec as {from?: string | string[]} | undefined)?.from);
  const {ids, area, use, vintage, coverage, fields} = entry;
  if (column === "id") return "raw" in ids ? nameOf(ids.raw) : null;
  if (column === "area") return joined(area?.from);
  if (column === "use") return joined(use?.codeFrom);
  if (column === "county") return nameOf(coverage.countyFrom);
  if (column !== "year") {
    const members = fields[column]?.transform?.flatMap((step) => /^member:(.*)/.exec(step)?.[1] ?? []) ?? [];
    return members.length === 0 ? nameOf(fields[column]) : [nameOf(fields[column]), ...members].join(".");
  }
  const roll = vintage.flatMap((rule) =>
    typeof rule === "object" && "rollYear" in rule ? [rule.rollYear] : [],
  )[0];
  return roll === undefined ? null : String(roll);
}

describe.skipIf(corpus === null)("proposals for files that nobody had seen", () => {
  it("M10: find the columns that a person found: 20 of 20 layouts are usable as they are, and no column is wrong", async () => {
    const lines: string[] = [];
    const wrongOwners: string[] = [];
    const counts = {right: 0, wrong: 0, missed: 0, usable: 0};
    for (const [path, options, truth] of layouts) {
      const proposal = await proposeEntry(join(corpus!, path), draftOf(options), "2026-11-21");
      const judged = Object.entries(truth).map(([column, expected]) => ({
        column,
        expected,
        came: proposed(proposal, column),
      }));
      const right = judged.filter(({came, expected}) => came === expected);
      const missed = judged.filter(({came}) => came === null);
      const wrong = judged.filter(({came, expected}) => came !== null && came !== expected);
      const strange = Object.keys(proposal.entry.fields).filter(
        (column) => ofOwner.test(column) && truth[column] === undefined,
      );
      wrongOwners.push(
        ...wrong.filter(({column}) => ofOwner.test(column)).map(({column}) => `${path} ${column}`),
        ...strange,
      );
      const isUsable = wrong.length === 0 && !missed.some(({column}) => /^(?:id|situs|owner)/.test(column));
      counts.right += right.length;
      counts.wrong += wrong.length;
      counts.missed += missed.length;
      counts.usable += isUsable ? 1 : 0;
      const told = [
        ...wrong.map(({column, came}) => `${column} wrong: ${came}`),
        ...missed.map(({column}) => `${column} missed`),
      ];
      lines.push(
        `${path.split("/").at(-1)!.padEnd(40)} ${right.length} right, ${wrong.length} wrong, ${missed.length} missed${isUsable ? "" : "  NOT USABLE"}  ${told.join(", ")}`,
      );
      expect(proposal.entry.accept.minRows, path).toBeGreaterThan(proposal.merges.parcels * 0.89 - 1);
    }
    process.stderr.write(
      `proposals: ${counts.right} right, ${counts.wrong} wrong, ${counts.missed} missed\n${lines.join("\n")}\n`,
    );
    expect(wrongOwners).toEqual([]);
    expect(counts.wrong).toBe(0);
    expect(counts.usable).toBe(layouts.length);
  });
});
