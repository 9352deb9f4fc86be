/** Throws when two combinations have the same key: then rows would be given the words of others. Never seen; 64 bits. */
export function refuseSharedKeys(keys: readonly string[]): void {
  if (new Set(keys).size !== keys.length) {
    throw new Error(
      "Two different combinations of report words have the same 64-bit key; their rows cannot be told apart.",
    );
  }
}
