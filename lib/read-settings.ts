import {readFileSync} from "node:fs";
import {addressSettings, type SettingName, Settings, secretSettings} from "../schemas/settings.ts";
import {ConfigError, messageOf} from "./errors.ts";
import {suggestions} from "./text/suggestions.ts";

export type {Settings} from "../schemas/settings.ts";

/** A line of the table of settings in `--help` and docs/reference/settings.md. */
type SettingRow = {name: string; default: string; about: string};

const MASK = "(set, not shown)";

/**
 * The settings of an environment. Variables other than `CATTLE_*` are ignored, and an empty value counts as
 * absent. Throws one `ConfigError` that lists every wrong or unknown name.
 */
export function readSettings(
  environment: Record<string, string | undefined> = process.env,
  readText: (path: string) => string = (path) => readFileSync(path, "utf8"),
): Settings {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("CATTLE_") || value === undefined || value === "") continue;
    const secret = secretSettings.find((secretName) => name === `${secretName}_FILE`);
    if (secret !== undefined) readSecret(secret, value, readText, values, faults);
    else if (isSecret(name)) faults.push(`${name}: secrets come from a file: set ${name}_FILE to its path.`);
    else values[name] = value;
  }
  const parsed = Settings.safeParse(values);
  if (!parsed.success) faults.push(...parsed.error.issues.flatMap((issue) => describeIssue(issue, values)));
  if (!parsed.success || faults.length > 0) {
    throw new ConfigError(`Wrong configuration:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
  return parsed.data;
}

/** All settings with default and description, in schema order; a secret appears under its `_FILE` name. */
export function settingRows(): SettingRow[] {
  const defaults = Settings.parse({});
  return Object.entries(Settings.shape).map(([name, schema]) => ({
    name: isSecret(name) ? `${name}_FILE` : name,
    default: settingText(defaults[name as SettingName]),
    about: schema.description ?? "",
  }));
}

/** The values of settings as text, with secrets and the logins of addresses masked. */
export function printableSettings(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      isSecret(name) && value !== null ? MASK : withoutLogin(name, settingText(value)),
    ]),
  );
}

function isSecret(name: string): boolean {
  return (secretSettings as readonly string[]).includes(name);
}

/** An address may hold user and password before its host; one that was mistyped, too. */
function withoutLogin(name: string, text: string): string {
  const isAddress = (addressSettings as readonly string[]).includes(name);
  return isAddress ? text.replace(/^(\w+:\/\/)?.*@/s, "$1***@") : text;
}

function settingText(value: Settings[SettingName]): string {
  return Array.isArray(value) ? value.join(",") : String(value ?? "");
}

function readSecret(
  name: string,
  path: string,
  readText: (path: string) => string,
  values: Record<string, string>,
  faults: string[],
): void {
  try {
    const secret = readText(path).trim();
    if (secret === "") faults.push(`${name}_FILE: ${path} is empty, expected a key.`);
    else values[name] = secret;
  } catch (error) {
    faults.push(`${name}_FILE: the file cannot be read: ${messageOf(error)}`);
  }
}

type Issue = {code: string; path: PropertyKey[]; message: string; keys?: string[]};

function describeIssue(issue: Issue, values: Record<string, string>): string[] {
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((name) => `${name}: no such setting; ${nearSetting(name)}.`);
  }
  const name = String(issue.path[0]);
  if (isSecret(name)) return [`${name}_FILE: the key in the file was not taken, expected ${issue.message}.`];
  return [
    `${name}: expected ${issue.message}, got ${JSON.stringify(withoutLogin(name, values[name] ?? ""))}.`,
  ];
}

/** Names the settings that a wrong name may stand for, else the page that has them all. */
function nearSetting(name: string): string {
  const near = suggestions(
    name,
    settingRows().map((row) => row.name),
  );
  return near.length === 0 ? "docs/reference/settings.md has them all" : `${near.join(" or ")} may be meant`;
}
