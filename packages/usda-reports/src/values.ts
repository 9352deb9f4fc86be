/** Values as publishers write them, for readers of other files; this door loads no reader of reports. */
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
