import type {Move} from "./moves.ts";
import {beyond, type NamedCattle, narrow, sameUse} from "./named-cattle.ts";
import type {TrendDirection, TrendQualifier} from "./report-words.ts";
import {type Part, partsOf} from "./sentence-parts.ts";
import {type Entry, entryOf, everything, type Said, untested} from "./trend-entry.ts";
import type {Token} from "./trend-tokens.ts";

/** The statements of one sentence. */
export class SentenceReading {
  readonly entries: Entry[] = [];
  unparsed = 0;
  /** Cattle of which the sentence says only that they were lightly tested. */
  lightlyTested: readonly NamedCattle[] = [];
  /** The cattle named last, for what the sentence says of them further on. */
  last: readonly NamedCattle[];
  private subject: {cattle: readonly NamedCattle[]; isSaid: boolean} | null = null;
  private isForeign: "no" | "clause" | "sentence" = "no";
  /** The cattle that are said to be lightly tested, until their direction is said. */
  private light: readonly NamedCattle[] | null = null;
  private isInstance = false;
  /** True where words of no form stand behind the last statement: what follows need not be of the same cattle. */
  private isApart = false;
  private opensUndertone = false;
  /** The cattle of a direction that weights or grades behind it narrowed: another direction with such behind it is of them, too. */
  private divided: readonly NamedCattle[] | null = null;
  private readonly parts: readonly Part[];
  private readonly hasOpening: boolean;
  /** True where nothing but an opening came before. */
  private readonly isBare: boolean;

  constructor(tokens: readonly Token[], before: readonly NamedCattle[]) {
    this.last = before;
    this.parts = partsOf(tokens);
    this.hasOpening = tokens.some(({kind}) => kind === "opening");
    this.isBare = this.hasOpening && this.parts[0]?.kind !== "cattle";
    for (let at = 0; at < this.parts.length; at = this.read(at)) {}
    if (this.light !== null) this.lightlyTested = this.light;
  }

  /** Reads the part at a place; returns the place of the next. */
  private read(at: number): number {
    const part = this.parts[at]!;
    if (part.kind === "cattle") this.name(part);
    else if (part.kind === "dirt") this.drop();
    else if (part.kind === "stray") return this.stray(at);
    else if (part.kind === "foreign") {
      this.drop();
      this.isForeign = part.isLasting || this.isForeign === "sentence" ? "sentence" : "clause";
    } else if (part.kind === "comma" || part.kind === "break") {
      if (this.isForeign === "clause") this.isForeign = "no";
    } else if (part.kind === "lightly") return this.lightly(at);
    else if (part.kind === "instance") this.isInstance = true;
    else if (part.kind === "undertoneOf") this.opensUndertone = true;
    else if (part.kind === "notEnough") return this.notEnough(at);
    else if (part.kind === "untested") return this.testless(at, part.whole);
    else if (part.kind === "undertone") return this.undertone(at, part.direction);
    else if (part.kind === "move") return this.move(at, part.move);
    return at + 1;
  }

  private stray(at: number): number {
    if (this.hasOpening && this.isForeign === "no") this.unparsed += 1;
    this.drop();
    return at + 1;
  }

  private drop(): void {
    this.isApart = true;
    if (!this.subject?.isSaid) this.subject = null;
  }

  private name({list, isVague}: Part & {kind: "cattle"}): void {
    const cattle = isVague ? beyond(this.last) : sameUse(list.cattle(this.last), this.last);
    // `steers and heifers, both …`: a list goes on until something is said of it.
    const isMore = this.subject !== null && !this.subject.isSaid && !isVague;
    this.divided = null;
    this.subject = {cattle: isMore ? [...this.subject!.cattle, ...cattle] : cattle, isSaid: false};
    this.isApart = false;
    if (cattle.length > 0) this.last = this.subject.cattle;
  }

  /** `not enough steers under 650 lb for a market test`, or with the cattle before or behind. */
  private notEnough(at: number): number {
    const [first, second, third] = this.parts.slice(at + 1, at + 4);
    if (first?.kind === "forTest") return this.testless(at + 1, false);
    if (first?.kind !== "cattle") return this.unknown(at + 1);
    let end = at + 1;
    const cattle: NamedCattle[] = [];
    for (; this.parts[end]?.kind === "cattle" || this.parts[end]?.kind === "comma"; end += 1) {
      const named = this.parts[end]!;
      if (named.kind === "cattle") cattle.push(...named.list.cattle(this.last));
    }
    if (second?.kind !== "forTest" && this.parts[end]?.kind !== "forTest") {
      if (third?.kind !== "forTest" && !this.parts.slice(end).some(({kind}) => kind === "forTest"))
        return this.unknown(at + 1);
      // Words between the cattle and the test say of whom: a list that no form fits is of nobody.
      if (this.parts.slice(end).some(({kind}) => kind === "untested")) return end;
    }
    this.untested(cattle);
    return end + 1;
  }

  private testless(at: number, isWhole: boolean): number {
    const behind = this.behind(at);
    if (behind !== null) {
      this.untested(behind.cattle);
      return behind.end;
    }
    if (this.entries.at(-1)?.direction === "not_tested" && this.subject?.isSaid) return at + 1;
    if (this.subject !== null && !(this.subject.isSaid && this.isApart)) this.untested(this.subject.cattle);
    else if (isWhole && this.entries.length === 0)
      this.untested(this.last.length === 0 ? [everything] : this.last);
    else if (this.isForeign === "no") return this.unknown(at + 1);
    return at + 1;
  }

  private untested(cattle: readonly NamedCattle[]): void {
    this.say(cattle, untested);
  }

  private undertone(at: number, direction: TrendDirection): number {
    const behind = this.behind(at);
    const cattle = behind?.cattle ?? this.subject?.cattle ?? this.last;
    if (this.isForeign === "sentence") return at + 1;
    const isTheirs = behind !== null || !(this.subject?.isSaid && this.isApart);
    if (cattle.length === 0 || !isTheirs) return this.unknown(at + 1);
    this.say(cattle, {direction, low: null, high: null, unit: null, qualifier: null});
    return behind?.end ?? at + 1;
  }

  private move(at: number, move: Move): number {
    const {subject} = this;
    if (this.isForeign !== "no") return at + 1;
    const {divided} = this;
    const behind = this.behind(at);
    const isSaid = subject?.isSaid === true && this.entries.at(-1)?.direction !== "not_tested";
    if (isSaid && (divided === null || behind === null)) {
      // `2.00 to 4.00 higher, instance to 10.00 higher`
      if (move.isInstance || this.isInstance) this.qualifyLast("instances");
      else if (divided !== null) return this.unknown(at + 1);
      else if (move.low !== null && this.isWithoutFigures())
        return behind === null && this.addFigures(at, move) ? at + 1 : this.unknown(behind?.end ?? at + 1);
      return at + 1;
    }
    const isFirst = this.parts.slice(0, at).every(({kind}) => kind === "comma" || kind === "break");
    const isWhole = subject === null && this.isBare && isFirst;
    const carried = subject === null ? this.light : null;
    const cattle = isSaid ? divided : (subject?.cattle ?? (isWhole ? [everything] : carried));
    if (cattle === null || cattle.length === 0) return this.unknown(at + 1);
    const narrowed = behind === null ? cattle : narrow(cattle, behind.cattle);
    if (narrowed === null) return this.unknown(behind!.end);
    // `steers lightly tested, heifers 2.00 higher`: the light test is of the steers alone.
    const isOfLight = this.light !== null && (carried !== null || this.light.length === 0);
    const qualifier = move.qualifier ?? (isOfLight || this.isInstance ? "limited" : null);
    if (isOfLight) this.light = null;
    this.isInstance = false;
    const direction: TrendDirection =
      this.opensUndertone && move.direction !== "mixed" ? `undertone_${move.direction}` : move.direction;
    this.say(narrowed, {...move, direction, qualifier});
    this.divided = behind === null ? null : cattle;
    this.opensUndertone = false;
    return behind?.end ?? at + 1;
  }

  private isWithoutFigures(): boolean {
    const {direction, low, high} = this.entries.at(-1)!;
    return (direction === "higher" || direction === "lower") && low === null && high === null;
  }

  /** `higher, mostly 3.00 to 6.00 higher`: gives the figures to the direction straight before; false if it is another. */
  private addFigures(at: number, move: Move): boolean {
    const before = this.parts[this.parts[at - 1]?.kind === "comma" ? at - 2 : at - 1];
    if (before?.kind !== "move" || before.move.direction !== move.direction) return false;
    const {cattle} = this.subject!;
    const qualifier = move.qualifier ?? this.entries.at(-1)!.qualifier;
    this.entries.splice(-cattle.length, cattle.length);
    this.say(cattle, {...move, qualifier});
    return true;
  }

  /**
   * The cattle behind `on` or `for`, or straight behind, where no statement on these follows. Straight behind a direction these are weights or
   * grades alone, of cattle that have none: `4.00 higher under 700 lb and 2.00 lower over 700 lb`.
   */
  private behind(at: number): {cattle: readonly NamedCattle[]; end: number} | null {
    const {kind} = this.parts[at]!;
    let end = at + 1;
    const isOn = this.parts[end]?.kind === "on";
    if (isOn) end += 1;
    else if (kind === "undertone" || (kind === "move" && !this.isNarrowedAt(end))) return null;
    const cattle: NamedCattle[] = [];
    let [from, isNarrowing] = [end, true];
    for (; this.parts[end]?.kind === "cattle"; end += 1) {
      const part = this.parts[end] as Part & {kind: "cattle"};
      // `4.00 higher under 600 lb and heavier weights steady`
      if (cattle.length > 0 && (part.isVague || part.isJoined) && this.isOfNext(end + 1)) break;
      if (part.isVague) return {cattle: [], end: end + 1};
      isNarrowing &&= part.list.isNarrowing;
      cattle.push(...part.list.cattle(this.divided ?? this.last));
      from = end + 1;
    }
    const next = this.parts[from];
    const isSaidLater =
      kind !== "undertone" &&
      ["move", "undertone", "lightly"].includes(next?.kind ?? "") &&
      !next!.isJoined &&
      !(kind === "move" && isNarrowing && (isOn || !this.isOfNext(from)));
    return cattle.length === 0 || isSaidLater ? null : {cattle, end: from};
  }

  /** True where the directions from here, and weights or grades between them, end on a direction: `steady over 800 lb 3.00 lower`. */
  private isOfNext(at: number): boolean {
    let isMove = false;
    for (const part of this.parts.slice(at)) {
      const isNarrowing = part.kind === "cattle" && part.list.isNarrowing;
      if (part.isJoined || !(isNarrowing || ["move", "on", "lightly"].includes(part.kind))) break;
      isMove = part.kind === "move" || (isMove && !isNarrowing);
    }
    return isMove;
  }

  /** True for weights or grades straight behind a direction whose cattle have none. */
  private isNarrowedAt(at: number): boolean {
    const part = this.parts[at];
    const own = this.divided ?? this.subject?.cattle ?? [];
    const isWhole = own.every(({low, high, grade}) => low === null && high === null && grade === null);
    return part?.kind === "cattle" && !part.isVague && !part.isJoined && part.list.isNarrowing && isWhole;
  }

  private say(cattle: readonly NamedCattle[], said: Said): void {
    for (const named of cattle) this.entries.push(entryOf(named, said));
    this.subject = {cattle, isSaid: true};
    this.isApart = false;
    if (cattle.length > 0 && cattle[0] !== everything) this.last = cattle;
  }

  /** `steers lightly tested`, `limited comparisons on steers`, or `steers steady in a light test`. */
  private lightly(at: number): number {
    if (this.subject?.isSaid) this.qualifyLast("limited");
    else if (this.isForeign === "no") {
      const isOn = this.subject === null && this.parts[at + 1]?.kind === "on";
      const behind = isOn ? this.behind(at) : null;
      this.light = behind?.cattle ?? this.subject?.cattle ?? [];
      if (this.light.length > 0) this.last = this.light;
      this.subject = null;
      return behind?.end ?? at + 1;
    }
    return at + 1;
  }

  private qualifyLast(qualifier: TrendQualifier): void {
    this.isInstance = false;
    for (const entry of this.entries.slice(-this.subject!.cattle.length))
      if (entry.direction !== "not_tested") entry.qualifier ??= qualifier;
  }

  private unknown(next: number): number {
    this.unparsed += 1;
    return next;
  }
}
