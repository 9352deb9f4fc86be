import {expect, test} from "vitest";
import {readParameters, suggestedParameters} from "../../../server/http/parameters.ts";
import type {Problem} from "../../../server/http/problem-document.ts";
import {endpoints} from "../../../server/routes/routes.ts";

/** The reason for each parameter that an endpoint refuses. */
function refused(operationId: string, query: string): Record<string, string> {
  const endpoint = endpoints.find((each) => each.operationId === operationId)!;
  try {
    readParameters(endpoint, new URLSearchParams(query));
  } catch (error) {
    const wrong = (error as Problem).extras.members?.["invalid_params"] as {name: string; reason: string}[];
    return Object.fromEntries(wrong.map(({name, reason}) => [name, reason]));
  }
  return {};
}

test("a lookup that misses a parameter tells the name that came in its place, and passes over others", () => {
  expect(refused("parcelIdLookup", "apn=1-2&state=TX")).toEqual({
    parcelId: "is required; apn is not a parameter of this endpoint",
  });
  expect(refused("locationSearch", "lat=30&lng=-97&colour=red")).toEqual({
    latitude: "is required; lat is not a parameter of this endpoint",
    longitude: "is required; lng is not a parameter of this endpoint",
  });
  expect(refused("parcelIdLookup", "colour=red")).toEqual({parcelId: "is required"});
  expect(refused("parcelIdLookup", "parcelId=1-2&apn=1-2")).toEqual({});
});

test("a name is meant whatever its case, its hyphens and its underscores", () => {
  const known = ["parcelId", "min_head"];
  expect(
    ["min-head", "MinHead", "min_heads", "parcel_id", "colour"].map((said) =>
      suggestedParameters(said, known),
    ),
  ).toEqual([["min_head"], ["min_head"], ["min_head"], ["parcelId"], []]);
});
