const letters = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Tells of a word whether one edit makes it of another: a letter dropped, added or replaced, or two neighbours swapped. */
export function oneEditAway(word: string): (other: string) => boolean {
  const edits = Array.from({length: word.length + 1}, (_, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    return [
      before + after.slice(1),
      before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
      ...letters.flatMap((letter) => [before + letter + after, before + letter + after.slice(1)]),
    ];
  });
  const words = new Set(edits.flat());
  return (other) => other !== word && words.has(other);
}
