/** A call of a tool, as an agent makes it. */
export type Call = {readonly name: string; readonly arguments: Record<string, unknown>};

const call = (name: string, given: Record<string, unknown> = {}): Call => ({name, arguments: given});

/** Weights come as numbers and as text, as agents give them. */
const nearZip = ["85326", "76401"].flatMap((zip) =>
  ["steers", "heifers"].flatMap((kind) =>
    [450, "550", 650, "750"].map((weight) => call("prices_near_zip", {zip, class: kind, weight, limit: "2"})),
  ),
);

const ofStates = ["AZ", "OK", "TX"].flatMap((state) => [
  call("coverage", {state}),
  call("county_prices", {state, class: "steers"}),
  call("state_prices", {state, class: "heifers", weight: "550"}),
  call("latest_sales", {state, class: "cows", limit: 3}),
  call("sale_barns", {state}),
  call("licensed_dealers", {state}),
]);

const ofParcels = [
  ...["116 W Bluestem Rd", "356 E Cottonwood Draw Rd", "532 W Windmill Rd", "1 Nowhere St"].map((address) =>
    call("parcel_by_address", {address, state: "TX"}),
  ),
  ...["R000990003", "R000990023", "S.0003.00010.00", "none-such"].map((parcelId) =>
    call("parcel_by_number", {parcelId, state: "TX"}),
  ),
  ...[0.25, "0.5", 1, "5"].map((radius) =>
    call("parcels_near", {latitude: 33.33, longitude: "-112.93", radius}),
  ),
  ...["FENWYN", "DUSTINGER FENWYN", "Nobody Atall", "x"].map((owner) =>
    call("parcels_of_owner", {owner, state: "TX"}),
  ),
];

/** Sixty questions about the generated sample, with each tool: answers, misses and refusals. */
export const sixtyCalls: readonly Call[] = [
  ...nearZip,
  ...ofStates,
  ...ofParcels,
  call("coverage"),
  call("licensed_dealers"),
  call("prices_near_zip", {zip: "00000", class: "steers"}),
  call("prices_near_zip", {zip: "85326", class: "steers", weight: 550, history: "12"}),
  call("prices_near_zip", {zip: "85326", class: "calves"}),
  call("county_prices", {county: "Erath", state: "TX", class: "steers", weight: 550}),
  call("county_prices", {county: "Nowhere", state: "TX"}),
  call("latest_sales", {zip: "85326", class: "steers", weight: "550"}),
  call("latest_sales", {venue: "saguaro", limit: "5"}),
  call("sale_barns", {zip: "85326", radius: 150}),
];
