/** The members whose value is known: null, undefined and empty texts are left out, because no answer has a null for an unknown field. */
export function known(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== null && value !== undefined && value !== "") left[name] = value;
  }
  return left;
}
