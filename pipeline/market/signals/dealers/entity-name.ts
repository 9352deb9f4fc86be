/** A firm's name in the form in which lines are counted as one: letters and digits, without legal forms and `dba` names. */
export function entityName(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f'’.]/g, "")
    .toLowerCase()
    .replace(/\b(d\/?b\/?a|doing business as)\b.*$/, "")
    .replaceAll("&", " and ")
    .replaceAll(/[^a-z0-9]+/g, " ")
    .replaceAll(/\b(llc|inc|incorporated|co|company|corp|corporation|ltd|lp|llp|the)\b/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
