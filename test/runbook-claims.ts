import {existsSync, readdirSync, readFileSync} from "node:fs";
import {basename, join} from "node:path";
import type {Command} from "commander";
import {collectDefaultMetrics} from "prom-client";
import {packageRoot} from "../lib/paths.ts";
import {settingRows} from "../lib/read-settings.ts";
import {dataFolder} from "../lib/storage/data-folder.ts";
import {program} from "../pipeline/cli.ts";
import {createCadastreMetrics} from "../server/cadastre/cadastre-metrics.ts";
import {createDeltaMetrics} from "../server/discoveries/delta-metrics.ts";
import {serverCommands} from "../server/server-cli.ts";
import {createMetrics} from "../server/system/metrics.ts";

const packages = readdirSync(join(packageRoot, "packages")).map((name) => `packages/${name}/src`);
const rooms = ["schemas", "lib", ...packages, "pipeline", "server", "deploy"];
const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const deployed = new Set(filesOf("deploy").map((path) => basename(path)));

/** The code as text, also with `…` for interpolations, so that a message is found as a log shows it. */
const source = rooms.flatMap(filesOf).map(read).map(withFilled).join("\n");
const commands = await program(serverCommands);
const settings = new Set(settingRows().map(({name}) => name));
const targets = new Set([...read("Makefile").matchAll(/^([a-z-]+):.*## /gm)].map((found) => found[1]!));
const units = readdirSync(join(packageRoot, "deploy/systemd"));
const resources = new Set(
  [...source.matchAll(/^ +(?:name|secretName): (cattle-[a-z-]+)$/gm)].map((found) => found[1]!),
);
const metrics = [...(await metricNames()), ...textfileNames()];
const below = [...Object.values(dataFolder(".")), "carried"];

const systemPath = /^\/(var\/(lib|backups|log)|opt|etc|proc)\//;
const address = /^(http:\/\/127\.0\.0\.1:\d+)?\/(healthz|readyz|metrics|openapi\.json)$/;
const metricName = /^[a-z]+_[a-z_]+_(total|seconds|bytes)$/;
/** Words of the operating system rather than of this program. */
const foreign =
  /^(dmesg|coredumpctl|cp|rsync --inplace|\?f=json|code=killed, status=7\/BUS|(status=)?11\/SEGV|status=(6\/ABRT|9\/KILL)|deleted|msg|QZXMARKED)$/;

/** The names in backticks and shell blocks of a document that this program lacks; empty for a correct document. */
export function untrueClaims(document: string, text = read(document)): string[] {
  if (!document.endsWith(".md")) return text.split("\n").flatMap(lineFaults);
  const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) => block!.split("\n"));
  const spans = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)];
  return [...lines.flatMap(lineFaults), ...spans.flatMap(([, span]) => spanFaults(span!))];
}

/** Faults in settings, metrics, units and calls of a shell line. */
function lineFaults(line: string): string[] {
  const unknown = (pattern: RegExp, isKnown: (name: string) => boolean) =>
    [...line.matchAll(pattern)].map(([name]) => name).filter((name) => !isKnown(name));
  return [
    ...unknown(/\bCATTLE_[A-Z_]+\b/g, (name) => settings.has(name)),
    ...unknown(
      /(?<![/\w])cattle-[a-z-]+/g,
      (name) =>
        resources.has(name) ||
        units.some((unit) => unit.startsWith(`${name}.`) || unit.startsWith(`${name}@`)),
    ),
    ...unknown(/\b(http|delta|cadastre|generation|artifact|process|nodejs)_[a-z_]*/g, (name) =>
      metrics.some((metric) => metric.startsWith(name)),
    ),
    ...unknown(/\bmake [a-z-]+/g, (call) => targets.has(call.slice("make ".length))),
    ...commandFaults(line),
  ];
}

function spanFaults(span: string): string[] {
  if (/^((npx )?cattle|systemctl|make) |^cattle-|^CATTLE_/.test(span)) return lineFaults(span);
  if (address.test(span) || foreign.test(span) || metrics.includes(span) || deployed.has(span)) return [];
  const isThere = metricName.test(span)
    ? false
    : /^[\w./-]+\/[\w.-]*$/.test(span)
      ? isKnownPath(span)
      : isInSource(span);
  return isThere ? [] : [span];
}

/** Faults in calls of `cattle`, by command or as a file run by Node. */
function commandFaults(line: string): string[] {
  const calls = line
    .replaceAll(/#.*$/g, "")
    .matchAll(/(?:^|[;|&(] *|bin\/|npx )cattle(?:\.js)? ([^;|&>)]+)/g);
  return [...calls].flatMap(([, words]) => callFaults(words!.split(/\s+/).filter((word) => word !== "")));
}

function callFaults([name = "", sub = "", ...rest]: string[]): string[] {
  // The arguments come from elsewhere, or continue on the next line.
  if (name === '"$@"' || name === "\\") return [];
  const command = commands.commands.find((each) => each.name() === name);
  if (command === undefined) return [`cattle ${name}`];
  if (command.commands.length === 0) return optionFaults(command, [sub, ...rest]);
  const inner = command.commands.find((each) => each.name() === sub);
  return inner === undefined ? [`cattle ${name} ${sub}`] : optionFaults(inner, rest);
}

function optionFaults(command: Command, words: string[]): string[] {
  const known = command.options.map(({long}) => long);
  const given = words.filter((word) => word.startsWith("--"));
  return given.filter((word) => !known.includes(word)).map((word) => `cattle ${command.name()} ${word}`);
}

/** True for a name or message in the code; interpolations may appear as `…` or as a number. */
function isInSource(span: string): boolean {
  const parts = span.split("…").filter((part) => part.trim() !== "");
  return parts.every((part) => {
    const pieces = part.split(/(\d+)/).map((piece) => piece.replaceAll(/[^\w\s]/g, "\\$&"));
    return new RegExp(pieces.map((piece) => (/^\d/.test(piece) ? `(?:${piece}|…)` : piece)).join("")).test(
      source,
    );
  });
}

function isKnownPath(path: string): boolean {
  return systemPath.test(path) || below.includes(path.split("/")[0]!) || existsSync(join(packageRoot, path));
}

function filesOf(room: string): string[] {
  return readdirSync(join(packageRoot, room), {recursive: true, encoding: "utf8"})
    .filter((name) => /\.(ts|service|timer|conf|env|sh|yaml|py)$/.test(name))
    .map((name) => join(room, name));
}

function withFilled(text: string): string {
  return `${text}\n${text.replaceAll(/\$\{[^}]*\}/g, "…")}`;
}

/** Metric names that commands write for the textfile collector, and others with the same prefixes. */
function textfileNames(): string[] {
  return filesOf("pipeline/report").flatMap((path) => {
    const text = read(path);
    const prefixes = [...text.matchAll(/new Figures\("(\w+)"\)/g)].map(([, prefix]) => prefix!);
    const names = [...text.matchAll(/\b(?:one|each)\(\s*"(\w+)"/g)].map(([, name]) => name!);
    return prefixes.flatMap((prefix) => names.map((name) => `${prefix}_${name}`));
  });
}

/** Metric names of a server. */
export async function metricNames(): Promise<string[]> {
  const {registry} = createMetrics();
  createDeltaMetrics(registry);
  createCadastreMetrics(registry);
  collectDefaultMetrics({register: registry});
  const found = await registry.getMetricsAsJSON();
  // Metrics that only the listener adds.
  return [...found.map(({name}) => name), "process_rss_anon_bytes", "server_degraded"];
}
