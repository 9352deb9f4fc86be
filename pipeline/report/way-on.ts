/** Gives the sentence that tells a person how a gate of a part lets something through. */
export function wayOn(part: string, gate: string): string {
  return `If it is right all the same: cattle build --accept ${part}:${gate} --reason "…", with the other options as before.`;
}
