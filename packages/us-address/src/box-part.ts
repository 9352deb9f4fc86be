/** A box found in a line: its kind and the index after it. */
type BoxPart = {readonly kind: "po_box" | "rural_route"; readonly next: number};

const boxId = /^(?:\d{1,9}[A-Z]?|[A-Z]|[A-Z]?\d{1,6}(?:-\d{1,6})?|\d{1,6}-\d{1,6}|X)$/;
const routeWords: ReadonlySet<string> = new Set(["RR", "HC", "RFD", "RD", "RT", "RTE", "ROUTE", "SR"]);
const routesWithoutBox: ReadonlySet<string> = new Set(["RR", "HC", "RFD"]);

/**
 * Parses a post office box or a rural route at `at`; null when neither starts there. With `afterStreet`, RD,
 * RT, RTE, ROUTE and SR belong to the street and do not start a route.
 */
export function boxAt(
  words: readonly string[],
  at: number,
  {end, afterStreet}: {end: number; afterStreet: boolean},
): BoxPart | null {
  const post = postBoxAt(words, at, end);
  if (post !== null) return {kind: "po_box", next: post};
  const route = routeAt(words, at, end);
  // In `MARSHALL RD BOX 15`, RD is the type of the street.
  if (route === null || (afterStreet && /^(?:RD|RT|RTE|ROUTE|SR)$/.test(words[at]!))) return null;
  const box = boxWordAt(words, route, end);
  if (box !== null) return {kind: "rural_route", next: idAfter(words, box, end)};
  return !afterStreet && routesWithoutBox.has(words[at]!) ? {kind: "rural_route", next: route} : null;
}

function postBoxAt(words: readonly string[], at: number, end: number): number | null {
  const word = words[at];
  if (at >= end || word === undefined) return null;
  if (word === "POB" || word === "POBOX" || word === "LOCKBOX") return idAfter(words, at + 1, end);
  if (word === "BOX")
    return boxId.test(words[at + 1] ?? "") || words[at + 1] === "#" ? idAfter(words, at + 1, end) : null;
  const start =
    word === "PO" || word === "LOCK" || word === "POST"
      ? at + (words[at + 1] === "OFFICE" ? 2 : 1)
      : word === "P" && words[at + 1] === "O"
        ? at + 2
        : -1;
  if (start < 0 || start >= end) return null;
  return words[start] === "BOX" || words[start] === "DRAWER" ? idAfter(words, start + 1, end) : null;
}

/** The index after `RR 2`, `HC ROUTE 68`, `RURAL ROUTE 1` or `STAR ROUTE`; null when no route starts here. */
function routeAt(words: readonly string[], at: number, end: number): number | null {
  let next = at;
  const first = words[at];
  if (first === "RURAL" || first === "STAR" || first === "HIGHWAY") {
    if (
      words[at + 1] !== "ROUTE" &&
      words[at + 1] !== "RT" &&
      words[at + 1] !== "RTE" &&
      words[at + 1] !== "CONTRACT"
    ) {
      return null;
    }
    next = at + 2;
  } else if (first !== undefined && routeWords.has(first)) {
    next = at + 1;
    if (words[next] === "ROUTE") next++;
  } else return null;
  if (words[next] === "#") next++;
  if (next < end && /^\d{1,3}[A-Z]?$/.test(words[next]!)) return next + 1;
  return words[next] === "BOX" ? next : null;
}

function boxWordAt(words: readonly string[], at: number, end: number): number | null {
  return at < end && words[at] === "BOX" ? at + 1 : null;
}

function idAfter(words: readonly string[], at: number, end: number): number {
  let next = at;
  if (words[next] === "#" || words[next] === "NO" || words[next] === "NUMBER") next++;
  if (next >= end || !boxId.test(words[next]!)) return Math.min(next, end);
  next++;
  // The A of `BOX 164 A` belongs to the box.
  return next < end && /^[A-Z]$/.test(words[next]!) && next === end - 1 ? next + 1 : next;
}
