import {foldText} from "./fold-text.ts";

/** Gives the form in which towns are compared: folded, with SAINT, FORT and MOUNT shortened to ST, FT and MT. */
export function cityKey(city: string | null): string {
  return foldText(city ?? "")
    .replace(/^(?:CITY|TOWN|VILLAGE) OF /, "")
    .replace(/\b(?:SAINT|FORT|MOUNT)\b/g, shortForm);
}

function shortForm(word: string): string {
  return word === "SAINT" ? "ST" : word === "FORT" ? "FT" : "MT";
}
