import {expect, it} from "vitest";
import {countyAsker, layerEntry} from "./county-fixture.ts";
import {layerWithoutPages} from "./layer-without-pages.ts";

it.each([
  ["say so", false, 0],
  ["do not say so", true, 1],
  ["say nothing", undefined, 1],
])(
  "a layer that refuses to be told how many rows to send is asked without, at once where its metadata %s",
  async (_, says, refused) => {
    const layer = await layerWithoutPages(says);
    const {ask, close} = countyAsker([layerEntry(layer.url)]);
    const question = {parcelId: "R-100-1", state: "TX", county: "Brazos"};
    const statusOf = async () => {
      const answer = await ask("parcel", question);
      return (answer as {json: {metadata: {lookup: {cadastreStatus: string}}}}).json?.metadata?.lookup
        ?.cadastreStatus;
    };
    expect(await statusOf()).toBe("found");
    expect(layer.queries.filter((form) => form.has("resultRecordCount"))).toHaveLength(refused);
    await close();
    layer.close();
  },
);
