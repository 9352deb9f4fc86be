import {reportStates} from "./report-states.ts";

/** The five areas of mandatory reports: Texas with Oklahoma and New Mexico, Kansas, Nebraska, Colorado, Iowa with Minnesota. */
const fiveAreas = ["CO", "IA", "KS", "MN", "NE", "NM", "OK", "TX"];

/** The words for each state: its letters and its name. */
const stateWords = reportStates.map(({state, name}) => ({
  state,
  words: new RegExp(`\\b(${state}|${name})\\b`),
}));

/** A label by whose name the Datamart says the region of a single line. */
const regionLabel = /^(region|state)(_name|_description|_desc)?$/i;

/**
 * The region of a mandatory report's line: that of its own label, else what stands before `Daily`, `Weekly` or `Monthly` in the title
 * (`TX-OK-NM Weekly Direct …`), with its states, sorted. `National` without states where neither names one.
 */
export function reportRegion(title: string, labels: Readonly<Record<string, string>>) {
  const label = Object.entries(labels).find(([name]) => regionLabel.test(name))?.[1];
  const ofTitle = /^(?:Sample )?(.*?)\s*\b(?:Daily|Weekly|Monthly)\b/i.exec(title)?.[1] ?? "";
  const region = (label ?? ofTitle).replaceAll(/\s+/g, " ").trim();
  const ofRegion = /^(5|five)[ -]area/i.test(region)
    ? fiveAreas
    : stateWords.flatMap(({state, words}) => (words.test(region) ? state : []));
  return {region: region === "" ? "National" : region, states: ofRegion.toSorted()};
}
