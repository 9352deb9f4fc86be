import {describe, expect, it} from "vitest";
import {createAnswerCache} from "../../../server/http/answer-cache.ts";

/** Takes 1,000 bytes of the cache with words of one letter. */
const answer = (letter: string, length = 299) => ({
  answer: {body: letter.repeat(length)},
  tag: letter,
  given: ["state"],
});

describe("the answer cache", () => {
  it("gives back what it was given, as long as there is room", () => {
    const cache = createAnswerCache(10_000);
    cache.keep("state=OK", answer("a"));
    cache.keep("state=TX", answer("b"));
    expect(cache.find("state=OK")).toEqual(answer("a"));
    expect(cache.find("state=TX")).toEqual(answer("b"));
    expect(cache.find("state=KS")).toBeUndefined();
  });

  it("lets go what was not asked for longest", () => {
    const cache = createAnswerCache(3_000);
    for (const words of ["a", "b", "c"]) cache.keep(words, answer(words));
    cache.find("a");
    cache.keep("d", answer("d"));
    expect(["a", "b", "c", "d"].filter((words) => cache.find(words) !== undefined)).toEqual(["a", "c", "d"]);
  });

  it("holds nothing without room, and nothing that is larger than all of it", () => {
    const none = createAnswerCache(0);
    none.keep("a", answer("a"));
    expect(none.find("a")).toBeUndefined();
    const small = createAnswerCache(1_500);
    small.keep("a", answer("a"));
    small.keep("long", answer("x", 5_000));
    expect(small.find("a")).toEqual(answer("a"));
    expect(small.find("long")).toBeUndefined();
  });
});
