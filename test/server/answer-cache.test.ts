import {describe, expect, it} from "vitest";
import {createAnswerCache} from "../../server/answer-cache.ts";

const answer = (letter: string) => ({body: letter.repeat(350)});

describe("the answer cache", () => {
  it("gives back what it was given, as long as there is room", () => {
    const cache = createAnswerCache(10_000);
    cache.keep("one", answer("a"));
    cache.keep("two", answer("b"));
    expect(cache.find("one")).toEqual(answer("a"));
    expect(cache.find("two")).toEqual(answer("b"));
    expect(cache.find("three")).toBeUndefined();
  });

  it("lets go what was not asked for longest", () => {
    // Each takes 1,000 bytes.
    const cache = createAnswerCache(3_000);
    for (const tag of ["a", "b", "c"]) cache.keep(tag, answer(tag));
    cache.find("a");
    cache.keep("d", answer("d"));
    expect(["a", "b", "c", "d"].filter((tag) => cache.find(tag) !== undefined)).toEqual(["a", "c", "d"]);
  });

  it("holds nothing without room, and nothing that is larger than all of it", () => {
    const none = createAnswerCache(0);
    none.keep("a", answer("a"));
    expect(none.find("a")).toBeUndefined();
    const small = createAnswerCache(1_500);
    small.keep("a", answer("a"));
    small.keep("long", {body: "x".repeat(5_000)});
    expect(small.find("a")).toEqual(answer("a"));
    expect(small.find("long")).toBeUndefined();
  });
});
