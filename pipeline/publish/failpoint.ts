/** Places at which a test can kill the build, in the order of a build (`docs/design/reliability.md` section 8, B1). */
export const failpoints = [
  "probed",
  "locked",
  "planned",
  "staging",
  "part-staged",
  "parts-staged",
  "before-manifest",
  "after-manifest",
  "before-rename",
  "after-rename",
  "before-symlink",
  "before-swap",
  "after-swap",
] as const;
export type Failpoint = (typeof failpoints)[number];

/** Kills this process like a crash if the environment says `FAILPOINT=<place>`; else it does nothing. */
export function passFailpoint(place: Failpoint): void {
  if (process.env["FAILPOINT"] === place) process.kill(process.pid, "SIGKILL");
}
