/** The members whose value is known: null, undefined and empty texts are left out, because no answer has a null for an unknown field. */
export function known(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}
