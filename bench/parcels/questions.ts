import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";

/** The last path segment of a parcel endpoint, and the parameters of one question. */
export type Asked = {readonly path: string; readonly values: Readonly<Record<string, string>>};

/** A kind of question: `ask` makes the question of a turn; questions with hits outside `hits` do not count. */
export type QuestionKind = {
  readonly name: string;
  readonly hits: readonly [least: number, most: number];
  /** Maximum number of questions, for a kind whose questions are identical and slow. */
  readonly most?: number;
  ask(turn: number): Asked;
};

/**
 * Kinds of questions about rows spread over a state. The hit bounds are the same at every size, so that a name with ten parcels
 * is compared with a name with ten parcels.
 */
export function questionKinds({parcels}: StateArtifacts): QuestionKind[] {
  const rowOf = (turn: number) => (turn * 7_919_011 + 13) % parcels.rows;
  const text = (column: string, turn: number) => parcels.string(column).at(rowOf(turn)) ?? "";
  const owner = (turn: number) => text("owner_name", turn).split(" &")[0] ?? "";
  const last = (turn: number) => owner(turn).split(" ")[0] ?? "";
  const place = (turn: number) => ({
    latitude: String(parcels.number("lat").at(rowOf(turn))),
    longitude: String(parcels.number("lon").at(rowOf(turn))),
  });
  const kind =
    (path: string) =>
    (
      name: string,
      hits: readonly [number, number],
      ask: (turn: number) => Record<string, string>,
    ): QuestionKind => ({name, hits, ask: (turn) => ({path, values: ask(turn)})});
  const [id, address, location, named] = [
    "parcel-id-lookup",
    "address-lookup",
    "location-search",
    "owner-search",
  ].map(kind) as [
    ReturnType<typeof kind>,
    ReturnType<typeof kind>,
    ReturnType<typeof kind>,
    ReturnType<typeof kind>,
  ];
  return [
    id("parcel number, exact", [1, 1], (turn) => ({parcelId: text("parcel_id", turn)})),
    id("parcel number, without zeros", [1, 1], (turn) => ({
      parcelId: text("parcel_id", turn).replace(/^0+/, ""),
    })),
    id("parcel number, none", [0, 0], (turn) => ({parcelId: `X${turn}`})),
    address("address, exact line", [1, 1], (turn) => ({address: text("situs_raw", turn)})),
    address("address, one letter wrong", [1, 1], (turn) => ({address: misspelt(text("situs_raw", turn))})),
    location("location, 10 of 0.25 mile", [60, 200], (turn) => ({...place(turn), radius: "0.25"})),
    location("location, 10 of 1 mile", [900, 2600], (turn) => place(turn)),
    location("location, 100 of 2 miles, by use", [1000, 2600], (turn) => ({
      ...place(turn),
      radius: "2",
      limit: "100",
      use: "agriculture",
    })),
    named("owner, last and given name", [5, 30], (turn) => ({owner: owner(turn)})),
    named("owner, given name and last name", [5, 30], (turn) => ({
      owner: owner(turn).split(" ").reverse().join(" "),
    })),
    named("owner, last name alone", [20, 200], (turn) => ({owner: last(turn)})),
    named("owner, one letter wrong", [10, 30], (turn) => ({owner: `${last(turn).slice(0, -1)}X`})),
    named("owner, roles", [10, 30], (turn) => ({lastName: last(turn), firstName: "D"})),
    {
      ...named("owner, common given name alone", [1, Number.MAX_SAFE_INTEGER], () => ({owner: "DALE"})),
      most: 5,
    },
  ];
}

/** Replaces a letter in the middle of the street name by X. */
function misspelt(line: string): string {
  return line.replace(/^(\d+ ...)./, "$1X");
}
