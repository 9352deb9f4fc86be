import type {Random} from "./pipeline/hostile-files.ts";

const patterns = ["[", "]", "*", "?", "=", "!", "-", "\\", "'", '"', " ", "~", "%", "#", "{", "}", ",", ";"];
const others = [
  "a",
  "b",
  "1",
  ".csv",
  ".",
  "é",
  "年",
  "\n",
  "\u001b",
  ":",
  "$",
  "&",
  "|",
  "**",
  "[a-z]",
  "k=v",
];

/** A legal name of a file or folder, of characters that mean something to a shell, a database or a terminal. */
export function randomName(random: Random): string {
  const parts = [...patterns, ...others];
  const name = Array.from(
    {length: 1 + Math.floor(random() * 6)},
    () => parts[Math.floor(random() * parts.length)]!,
  ).join("");
  return name === "." || name === ".." ? "dot" : name;
}
