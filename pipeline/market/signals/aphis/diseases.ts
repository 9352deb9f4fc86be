/** Animal diseases of cattle, and of others that stop the movement of cattle, by the words that notices use. */
const diseases: readonly [RegExp, string][] = [
  [/screw.?worm|\bnws\b/i, "new world screwworm"],
  [/hpai|avian.?influenza|h5n1/i, "highly pathogenic avian influenza"],
  [/foot.?and.?mouth|\bfmd\b/i, "foot-and-mouth disease"],
  [/tubercul|\btb\b/i, "bovine tuberculosis"],
  [/brucell/i, "brucellosis"],
  [/vesicular.?stomatitis|\bvsv?\b/i, "vesicular stomatitis"],
  [/anthrax/i, "anthrax"],
  [/spongiform|\bbse\b/i, "bovine spongiform encephalopathy"],
  [/theileri/i, "theileriosis"],
  [/cattle.?fever.?tick|babesi/i, "cattle fever"],
  [/blue.?tongue/i, "bluetongue"],
];

/** The disease that words name, such as a file's name or a notice's title; null when none is known. */
export function diseaseIn(words: string): string | null {
  const plain = words.replaceAll(/[_/.-]+/g, " ");
  return diseases.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
