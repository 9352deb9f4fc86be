import {countWords} from "../../lib/counts.ts";
import type {SourceMeeting} from "../../lib/parcels/dedupe/source-meetings.ts";
import type {FileReport, NumberMeeting} from "../../schemas/build-report.ts";
import type {AcceptedEntry} from "./state-facts.ts";

/** A pair of sources with fewer numbers on either side proves nothing. */
const comparedNumbers = 20;
/** Shares of numbers that should meet, for two complete sources and for others. */
const expectedOfComplete = 0.5;
const expectedOfExtract = 0.1;

/** Adds each pair of sources of a county to the report of the first file of its first source. */
export function withMeetings(
  reports: readonly FileReport[],
  {accepted, meetings}: {accepted: readonly AcceptedEntry[]; meetings: readonly SourceMeeting[]},
): FileReport[] {
  const byFile = Map.groupBy(meetings, (each) => fileOf(each, {accepted, reports}));
  return reports.map((report) => {
    const own = byFile.get(report.path);
    return own === undefined ? report : {...report, meetings: own.map((each) => noted(each, accepted))};
  });
}

function fileOf(
  {county, sources: [source]}: SourceMeeting,
  {accepted, reports}: {accepted: readonly AcceptedEntry[]; reports: readonly FileReport[]},
): string | undefined {
  const paths = entriesOf(source, accepted).flatMap(({files}) => files.map(({file}) => file.path));
  const own = reports.filter(({path}) => paths.includes(path));
  return (own.find(({counties}) => counties?.includes(county) === true) ?? own[0])?.path;
}

function entriesOf(source: string, accepted: readonly AcceptedEntry[]): AcceptedEntry[] {
  return accepted.filter(
    ({entry, isFound = false}) => source === (isFound ? `${entry.id} (discoveries)` : entry.id),
  );
}

function noted(meeting: SourceMeeting, accepted: readonly AcceptedEntry[]): NumberMeeting {
  const {county, sources, numbers, equal, byForm} = meeting;
  const warning = warningOf(meeting, accepted);
  return {
    county,
    sources: [...sources],
    numbers,
    equal,
    byForm,
    ...(warning === null ? {} : {warning}),
  };
}

/** Null where enough numbers meet, or none need to: parcels were found on misses because no file has them. */
function warningOf(meeting: SourceMeeting, accepted: readonly AcceptedEntry[]): string | null {
  const {sources, numbers, equal, byForm, unmet} = meeting;
  const sides = sources.map((source) => entriesOf(source, accepted));
  if (numbers < comparedNumbers || sides.flat().some(({isFound}) => isFound === true)) return null;
  const [one, other] = sides.map((own) => own[0]?.entry.coverage?.places);
  if (one !== undefined && other !== undefined && !one.some((place) => other.includes(place))) return null;
  const areComplete = sides.every((own) => own.some(({complete}) => complete));
  const expected = areComplete ? expectedOfComplete : expectedOfExtract;
  if (equal + byForm >= expected * numbers) return null;
  const samples = sources.map((source, i) => `${source} prints ${unmet[i]!.join(", ")}`);
  return `${meetingText(meeting)}: ${samples.join("; ")}. Map the column whose numbers both print, as ids.raw or ids.alt.`;
}

/** `county 05125, us-ar-map and us-ar-roll: 60 of 60 numbers meet (0 equal, 60 by normal form)`. */
export function meetingText({
  county,
  sources: [one, other],
  numbers,
  equal,
  byForm,
}: Omit<SourceMeeting, "unmet">): string {
  const [met, all, same, alike] = [equal + byForm, numbers, equal, byForm].map((n) => countWords(n));
  return `county ${county}, ${one} and ${other}: ${met} of ${all} numbers meet (${same} equal, ${alike} by normal form)`;
}
