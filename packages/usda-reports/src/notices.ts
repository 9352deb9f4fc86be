import {addDays} from "./calendar.ts";
import {expectedHead, namesSale, namesUnheld, saleDaysOf} from "./held-sales.ts";
import {namedDays, withNamedDays} from "./named-days.ts";
import type {Announcement} from "./reporter-fields.ts";

/** What a report says in asterisks, beside its comment. */
export type Notices = {readonly announced: readonly Announcement[]; readonly specialSale: string | null};

/** Marks of an issue, which name no sale. */
const marks =
  /^(?:note\b.*|special note\b.*|(?:final|preliminary) report|close|add close\b.*|correct(?:ion|ed)\b.*|updated?\b.*|livestock .*report.*)?[:*\s]*$/i;
/** Words of another sale than that of the report. */
const ofAnother = /\b(?:next|will be|upcoming|coming)\b/i;

/**
 * Reads the notices of a report that ended on a day, and what its comment says of sales that are not held. A day to come is that of a
 * special sale, or of none; a notice that is no mark of the issue and names no day but the last four of the report names its own special sale.
 */
export function readNotices(
  notices: readonly string[],
  comment: readonly string[],
  endDate: string,
): Notices {
  const texts = notices.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
  const announced = [
    ...texts.flatMap((text) => announcementsOf(text, endDate, true)),
    ...comment.flatMap((sentence) => announcementsOf(sentence, endDate, false)),
  ];
  const names = texts.filter(
    (text) =>
      !marks.test(text) &&
      namesSale(text) &&
      !ofAnother.test(text) &&
      !namesUnheld(text, true) &&
      namedDays(withNamedDays(text, endDate)).every(
        (date) => date >= addDays(endDate, -3) && date <= endDate,
      ),
  );
  return {
    announced: [
      ...Map.groupBy(announced, ({date, kind}) => `${date} ${kind}`)
        .values()
        .map(([first]) => first!),
    ],
    specialSale: names[0] ?? null,
  };
}

function announcementsOf(text: string, endDate: string, isNotice: boolean): Announcement[] {
  if (/^(?:correct|update|final|preliminary)/i.test(text)) return [];
  const days = saleDaysOf(text, endDate, isNotice).filter(({date}) => date > endDate);
  const sales = days.filter(({isHeld}) => isHeld);
  return days.map(({date, isHeld, head}) => ({
    date,
    kind: isHeld ? ("special" as const) : ("no_sale" as const),
    text,
    head: isHeld ? (sales.length === 1 ? expectedHead(text) : head) : null,
  }));
}

/**
 * What stands between asterisks in a text, which may have line ends but no blank line in it, nor a line that opens the next notice: its
 * parts, and the text without them. Asterisks around a comparison with earlier sales are around the comment itself.
 */
export function cutNotices(text: string): {text: string; notices: string[]} {
  const notices: string[] = [];
  const rest = text.replaceAll(inAsterisks, (notice) => {
    notices.push(...notice.split("*").map((part) => part.replaceAll(/\s+/g, " ").trim()));
    return " ";
  });
  return {text: rest, notices: notices.filter((part) => part !== "")};
}

const character = String.raw`(?:(?!\bcompared (?:to|with)\b)[^*\n]|\n(?![ \t]*[\n*]))`;
/** With a label such as `***Note***` before it; a box of asterisks closes on a line of its own. */
const inAsterisks = new RegExp(
  String.raw`(?<!\*)\*+(?:[ \t]*(?:special |please )?(?:note|notice|reminder|attention):?[ \t]*\*+(?=[^*.]{3,300}\.?\s*\*))?` +
    String.raw`${character}{3,300}(?:\n[ \t]*(?=\*+[ \t]*(?:\n|$)))?\*+`,
  "gi",
);
