import type {StateArtifacts} from "../../lib/parcels/artifacts.ts";

/** The last part of a parcel endpoint's path, and parameters of one question to it. */
export type Asked = {readonly path: string; readonly values: Readonly<Record<string, string>>};

/** A kind of question: `ask` makes the question of a turn; those with fewer or more hits than `hits` do not count. */
export type QuestionKind = {
  readonly name: string;
  readonly hits: readonly [least: number, most: number];
  /** Most questions of a kind whose every question is the same and takes long. */
  readonly most?: number;
  ask(turn: number): Asked;
};

/**
 * Kinds of questions about rows spread over a state. The bounds of their hits are the same at every size of the state: a name that
 * ten parcels have is compared with a name that ten parcels have.
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

/** A letter in the middle of the street's name becomes an X. */
function misspelt(line: string): string {
  return line.replace(/^(\d+ ...)./, "$1X");
}
