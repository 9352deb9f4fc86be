import {folded, type Json, numberOf, textAt} from "../json-values.ts";
import {dateFrom} from "../words/published-date.ts";
import {stateCode} from "../words/us-states.ts";
import {reject} from "./reading.ts";

/**
 * One row of a table, its cells by folded names (`CWP_NAME` and `CWPName` are `cwpname`). Of several names the first with a value
 * counts; a cell that says nothing is null.
 */
export class Row {
  /** The row as it came. */
  readonly record: Json;
  readonly cells: Json;

  constructor(record: Json) {
    this.record = record;
    this.cells = folded(record);
  }

  has(...names: string[]): boolean {
    return names.some((name) => name in this.cells);
  }

  text(...names: string[]): string | null {
    return textAt(this.cells, ...names);
  }

  lower(...names: string[]): string | null {
    return this.text(...names)?.toLowerCase() ?? null;
  }

  /** The first number among the named cells; words in place of a number are nothing. */
  number(...names: string[]): number | null {
    return names.map((name) => numberOf(this.cells[name])).find((value) => value !== null) ?? null;
  }

  /** State letters of letters, FIPS digits or a name. */
  state(...names: string[]): string | null {
    return stateCode(this.text(...names));
  }

  date(...names: string[]): string | null {
    return dateFrom(this.text(...names));
  }

  /** The calendar day without which there is no row. */
  day(name: string, ...others: string[]): string {
    return (
      this.date(name, ...others) ??
      reject("bad_date", `${name} ${this.text(name, ...others) ?? "missing"}, a date was expected`)
    );
  }

  /** The number without which there is no row; one out of its bounds is a mistake of units. */
  within(name: string, {least, most, unit}: {least: number; most: number; unit: string}): number {
    const value = this.number(name) ?? reject("no_value", `no ${name}`);
    return value >= least && value <= most ? value : reject("implausible_value", `${value} ${unit}`);
  }
}
