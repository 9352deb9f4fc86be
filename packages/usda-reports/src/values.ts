/** Days of the calendar, and values as publishers write them; this door loads no reader of reports. */
export {addDays, calendarDay, dayNumber, weekdayOf} from "./calendar.ts";
export {
  folded,
  foldName,
  isObject,
  type Json,
  membersOf,
  numberOf,
  objectsOf,
  textAt,
  textOf,
  unreadLine,
} from "./published-values.ts";
