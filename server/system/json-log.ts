const levels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
type Level = (typeof levels)[number];

/** Writes a line: facts and what happened in words, or the words alone. */
type Write = (facts: Readonly<Record<string, unknown>> | string, words?: string) => void;

/** A log of JSON lines; lines below its level are not written. */
export type Log = {readonly isLevelEnabled: (level: Level) => boolean} & Readonly<Record<Level, Write>>;

/** Opens a log on `write`. `base` is on every line, after level and UTC time. */
export function openLog(
  lowest: Level | "silent",
  write: (line: string) => void,
  base: Readonly<Record<string, unknown>> = {},
): Log {
  const from = lowest === "silent" ? levels.length : levels.indexOf(lowest);
  const writers = levels.map((level, rank): [Level, Write] => [
    level,
    (facts, words) => {
      if (rank < from) return;
      const [named, msg] = typeof facts === "string" ? [{}, facts] : [facts, words];
      write(`${JSON.stringify({level, time: new Date().toISOString(), ...base, ...named, msg})}\n`);
    },
  ]);
  return {
    isLevelEnabled: (level) => levels.indexOf(level) >= from,
    ...(Object.fromEntries(writers) as Record<Level, Write>),
  };
}
