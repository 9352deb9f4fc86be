import {CattleList} from "./named-cattle.ts";
import type {Token} from "./trend-tokens.ts";

/** A part of a sentence: cattle that it names, or what it says of them; `isJoined` if an `and` or the like stands before it. */
export type Part = Said & {readonly isJoined: boolean};

type Said =
  | {readonly kind: "cattle"; readonly list: CattleList; readonly isVague: boolean}
  | {readonly kind: "dirt"}
  | {readonly kind: "foreign"; readonly isLasting: boolean}
  | Exclude<Token, {kind: "cattle" | "weight" | "vague" | "filler" | "other" | "foreign" | "opening"}>;

/** The parts of a sentence: words of cattle and weights joined into lists; fillers are left out. */
export function partsOf(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  let isJoined = false;
  const push = (said: Said) => {
    parts.push({...said, isJoined});
    isJoined = false;
  };
  for (const token of tokens) {
    const {kind} = token;
    const open = parts.at(-1);
    if (kind === "filler") isJoined ||= token.isJoin;
    if (kind === "filler" || kind === "opening") continue;
    if (kind === "other") {
      if (open?.kind !== "dirt") push({kind: "dirt"});
    } else if (kind === "vague") push({kind: "cattle", list: new CattleList(), isVague: true});
    else if (kind === "cattle" || kind === "weight") {
      // `heavier weights over 750 lb` has a range of its own.
      if (open?.kind === "cattle" && open.isVague) parts.pop();
      // `4.00 higher under 600 lb and over 600 lb 2.00 lower`
      const isOther = kind === "weight" && isJoined && ["move", "on"].includes(parts.at(-2)?.kind ?? "");
      const list =
        open?.kind === "cattle" && !open.isVague && !(isOther && open.list.isNarrowing)
          ? open.list
          : new CattleList();
      if (list !== (open as {list?: CattleList} | undefined)?.list)
        push({kind: "cattle", list, isVague: false});
      isJoined = false;
      if (kind === "cattle") list.add(token.word);
      else list.addWeight(token.low, token.high);
    } else if (kind === "foreign") push({kind: "foreign", isLasting: token.isLasting});
    else push(token);
  }
  return parts;
}
