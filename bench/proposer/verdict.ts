import type {FlatMap} from "./flat-map.ts";
import type {Truth} from "./truth.ts";

/** The roles of a file by how well a proposal fills them. */
export type Verdict = {
  readonly right: readonly string[];
  /** `role: proposed, expected`. */
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
  /** Roles on which the truth says nothing. */
  readonly extra: readonly string[];
};

/** Compares a proposal with the truth, role by role. An account counts alike in `alt_id` and `account_id`. */
export function verdictOn(proposal: FlatMap, {roles, also = {}}: Pick<Truth, "roles" | "also">): Verdict {
  const right: string[] = [];
  const wrong: string[] = [];
  const missed: string[] = [];
  for (const [role, truth] of Object.entries(roles)) {
    const wanted = [truth].flat().map((each) => each.split("+"));
    const came = role === "alt_id" || role === "account_id" ? altIds(proposal) : (proposal.get(role) ?? []);
    const foreign = came.every((name) => !wanted.some((names) => names.some((each) => same(each, name))));
    if (came.length > 0 && foreign && role !== "alt_id")
      wrong.push(`${role}: ${came}, expected ${[truth].flat().join(" or ")}`);
    else if (wanted.some((names) => names.every((name) => came.some((each) => same(each, name)))))
      right.push(role);
    else missed.push(`${role}: ${[truth].flat().join(" or ")}${came.length > 0 ? ` (came ${came})` : ""}`);
  }
  const extra: string[] = [];
  for (const [role, came] of proposal) {
    if (role in roles || (role === "account_id" && "alt_id" in roles)) continue;
    const known = also[role];
    if (known === undefined) extra.push(`${role}: ${came}`);
    else if (
      ![known].flat().some((each) => came.every((name) => each.split("+").some((part) => same(part, name))))
    )
      wrong.push(`${role}: ${came}, expected ${[known].flat().join(" or ")}`);
  }
  return {right, wrong, missed, extra};
}

function altIds(proposal: FlatMap): string[] {
  return [...(proposal.get("alt_id") ?? []), ...(proposal.get("account_id") ?? [])];
}

/** True for equal names, even if a DBF truncated one. */
export function same(a: string, b: string): boolean {
  const [long, short] =
    a.length > b.length ? [a.toLowerCase(), b.toLowerCase()] : [b.toLowerCase(), a.toLowerCase()];
  return long === short || (short.length === 10 && long.startsWith(short));
}
