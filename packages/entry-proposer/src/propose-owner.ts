import type {ColumnClaims} from "./column-claims.ts";
import type {FieldSpec} from "./field-proposal.ts";

/** The owners; in a table without a column for them, the first line of the mail where it holds names. */
export function ownersBesideMail(
  claims: ColumnClaims,
  {mail_line1: mail}: Readonly<Record<string, FieldSpec>>,
): Record<string, FieldSpec> {
  const owner = proposedOwner(claims);
  const [first, ...others] = [mail?.from ?? []].flat();
  if (owner.owner_raw !== undefined || first === undefined || others.length === 0) return owner;
  const isPlace = (cell: string) => /^\d|\bBOX\b|\d{5}$/i.test(cell);
  const isNames = claims.values(first).filled.length >= 5 && claims.values(first).share(isPlace) < 0.05;
  const arePlaces = claims.values(others[0]!).share(isPlace) >= 0.3;
  if (!isNames || !arePlaces) return owner;
  return {owner_raw: {from: first}, mail_line1: {...mail, from: others.length === 1 ? others[0]! : others}};
}

function proposedOwner(claims: ColumnClaims): Record<string, FieldSpec> {
  const [last, first] = [claims.unclaimed("owner_last")[0], claims.unclaimed("owner_first")[0]];
  const hasWhole = claims.unclaimed("owner_raw").some((name) => name !== last && name !== first);
  if (last !== undefined && first !== undefined && !hasWhole) {
    claims.claim(last, first);
    return {owner_raw: {from: [last, first], transform: ["join"]}};
  }
  const named = claims.take("owner_raw");
  const second = claims.take("owner_second");
  const owner = named ?? (second === null ? null : firstBeside(second, claims));
  const taxpayer = claims.unclaimed("taxpayer")[0] ?? null;
  if (owner !== null && second === null && taxpayer !== null) {
    claims.recordChoice("owner_raw", [owner, taxpayer]);
    // Some tables print the owner only when it differs from the taxpayer; elsewhere the taxpayer is the
    // owner.
    const filled = (name: string) => claims.values(name).filled.length;
    if (filled(owner) * 2 < filled(taxpayer)) {
      claims.claim(taxpayer);
      return {owner_raw: {from: [owner, taxpayer]}};
    }
  }
  if (owner === null && taxpayer !== null) claims.claim(taxpayer);
  const owners = [owner ?? taxpayer, second].filter((name) => name !== null);
  if (owners.length === 0) return {};
  return {owner_raw: owners.length === 1 ? {from: owners[0]!} : {from: owners, transform: ["ownerLines"]}};
}

/** The column before a second one of the same name (`NAME` before `NAME2`). */
function firstBeside(second: string, claims: ColumnClaims): string | null {
  const stem = second.replace(/_?2$/, "");
  const first = [stem, `${stem}1`, `${stem}_1`].find(
    (name) => name !== second && claims.names.includes(name) && !claims.isTaken(name),
  );
  if (first !== undefined) claims.claim(first);
  return first ?? null;
}

/**
 * `last_comma_first` when most names have a comma after their first word, `last_first` when names are joined
 * from two columns, otherwise unknown.
 */
export function ownerOrder(
  claims: ColumnClaims,
  owner: FieldSpec | undefined,
): "last_comma_first" | "last_first" | "unknown" {
  if (owner?.transform?.includes("join")) return "last_first";
  const [name] = [owner?.from ?? []].flat();
  const share = name === undefined ? 0 : claims.values(name).share((cell) => /^[A-Z'-]+, ?[A-Z]/i.test(cell));
  return share >= 0.4 ? "last_comma_first" : "unknown";
}
