import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import type {Command} from "commander";
import {limitations} from "../lib/limitations.ts";
import {parcelLimitations} from "../lib/parcels/record/parcel-limitations.ts";
import {packageRoot} from "../lib/paths.ts";
import {settingRows} from "../lib/read-settings.ts";
import {program} from "../pipeline/cli.ts";
import {registeredSources} from "../pipeline/fetch/jobs/known-sources.ts";
import type {FetchSource} from "../pipeline/fetch/jobs/source-address.ts";
import {describedFiles} from "../schemas/described-files.ts";
import {marketFeeds} from "../schemas/market-feed.ts";
import type {DescribedColumn, TableReference} from "../schemas/vocabulary/described-file.ts";
import {endpoints} from "../server/routes/routes.ts";
import {serverCommands} from "../server/server-cli.ts";
import {roomPicture} from "./room-picture.ts";
import {ruleTable} from "./rules.ts";

/** A generated part of a document, between `<!-- name -->` and `<!-- /name -->`. */
export type DocsBlock = {readonly document: string; readonly name: string; readonly text: string};

const {commands} = await program(serverCommands);

/** Every generated part of the documents. */
export function docsBlocks(): DocsBlock[] {
  return [
    {document: "docs/reference/commands.md", name: "commands", text: commandTable()},
    {document: "docs/reference/raw-files.md", name: "feeds", text: feedTable()},
    {document: "docs/reference/endpoints.md", name: "endpoints", text: endpointTable()},
    {document: "docs/reference/settings.md", name: "settings", text: settingTable()},
    {document: "docs/reference/live-sources.md", name: "asked", text: askedTable()},
    {document: "docs/reference/limitations.md", name: "limitations", text: limitationTable()},
    {document: "docs/reference/rules.md", name: "rules", text: ruleTable()},
    {document: "CONTRIBUTING.md", name: "imports", text: roomPicture()},
    {document: "schemas/FORMAT.md", name: "files", text: fileSections()},
  ];
}

/** The text of a document between the marks of a block. Throws if the marks are missing. */
export function writtenBlock({document, name}: DocsBlock): string {
  const text = readFileSync(join(packageRoot, document), "utf8");
  const found = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(text);
  if (found === null) throw new Error(`${document}: no marks <!-- ${name} --> … <!-- /${name} -->`);
  return found[1]!;
}

/** Puts a block into its document. */
export function updateBlock(block: DocsBlock): void {
  const path = join(packageRoot, block.document);
  const text = readFileSync(path, "utf8");
  const mark = (slash: string) => `<!-- ${slash}${block.name} -->`;
  writeFileSync(
    path,
    text.replace(`${mark("")}\n${writtenBlock(block)}${mark("/")}`, `${mark("")}\n${block.text}${mark("/")}`),
  );
}

function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(columns) + line(columns.map(() => "---")) + rows.map(line).join("");
}

function commandTable(): string {
  const rows = commands.flatMap((command) => commandRows(command, ""));
  return table(["command", "what it does"], rows);
}

function commandRows(command: Command, before: string): string[][] {
  const name = `${before}${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((sub) => commandRows(sub, `${name} `));
  const options = command.options.filter(({hidden}) => !hidden).map(({flags}) => `\`${flags}\``);
  const usage = `\`${[name, ...command.registeredArguments.map(argumentText)].join(" ")}\``;
  return [[usage, `${command.description()}${options.length > 0 ? `; ${options.join(", ")}` : ""}`]];
}

function argumentText(argument: {name(): string; required: boolean; variadic: boolean}): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** The first request, the claims, and what is unconfirmed, for each feed and each parcel entry with a URL. */
function askedTable(): string {
  const rows = registeredSources().map((source) => {
    const said = (source.feed ?? source.entry)?.evidence ?? [];
    const open = said.filter((line) => line.startsWith("not confirmed: "));
    const claims = said.filter((line) => !open.includes(line)).join("; ");
    const unread = source.verified ? "" : "no row was read: name, fields and count are as claimed";
    const doubts = [...open.map((line) => line.slice("not confirmed: ".length)), unread];
    const claim = claims || "rows in hand, which its entry shows";
    return [
      `\`${source.id}\``,
      `\`${requestOf(source)}\``,
      // A claim without a year of its document or client is dated by when it was read.
      /\b20\d\d\b/.test(claim) ? claim : `${claim} (read in November 2026)`,
      doubts.filter((doubt) => doubt !== "").join("; ") || "–",
    ];
  });
  return table(["source", "request", "source of the claim", "not confirmed"], rows);
}

function requestOf({protocol, url, feed, entry}: FetchSource): string {
  if (protocol === "arcgis") {
    const where = entry?.where === undefined ? "1=1" : "…";
    return `GET ${url}?f=json, then POST /query with where=${where}`;
  }
  const paths: Partial<Record<typeof protocol, string>> = {
    mars: "/reports",
    "ams-text": `/listPublishedReports/${feed?.protocol === "ams-text" ? feed.listDays : ""}`,
    datamart: `/reports/${feed?.protocol === "datamart" ? feed.slugs[0] : ""}?q=report_date=…&allSections=true`,
    quickstats: "/get_counts/?commodity_desc=…",
    drought: "?aoi=…&startdate=…&enddate=…&statisticsType=1",
    nws: feed?.protocol === "nws" && feed.ask === "alerts" ? "/alerts/active?area=…" : "/points/…",
    eia: "?frequency=weekly&data[0]=value&…",
    echo: "/cwa_rest_services.get_facilities?output=JSON&…",
  };
  return `GET ${url}${paths[protocol] ?? ""}`;
}

function feedTable(): string {
  const rows = Object.entries(marketFeeds).map(([feed, about]) => [`\`${feed}\``, about]);
  return table(["folder below `market/`", "files"], rows);
}

function endpointTable(): string {
  return table(
    ["GET", "parameters", "what it answers"],
    endpoints.map(({path, parameters, summary}) => [
      `\`${path}\``,
      Object.keys(parameters.shape)
        .map((name) => `\`${name}\``)
        .join(", "),
      summary,
    ]),
  );
}

function limitationTable(): string {
  return table(["id", "sentence"], Object.entries({...limitations, ...parcelLimitations}));
}

function settingTable(): string {
  return table(
    ["setting", "default", "what it does"],
    settingRows().map((row) => [
      `\`${row.name}\``,
      row.default === "" ? "" : `\`${row.default}\``,
      row.about,
    ]),
  );
}

/** The sentence on a column, with enumeration values that it does not name, and its kind of text. */
function meaning({about, values = [], json}: DescribedColumn): string {
  const named = values.every((value) => about.includes(`\`${value}\``));
  const list = named ? "" : `: ${values.map((value) => `\`${value}\``).join(", ")}`;
  return `${about}${list}${json === true ? "; JSON text" : ""}`;
}

function referenceText({columns, table: to, key}: TableReference): string {
  const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(", ");
  return `${names(columns)} ${columns.length === 1 ? "is" : "are"} ${names(key)} of \`${to}\``;
}

function fileSections(): string {
  return describedFiles
    .map(({path, about, key, columns, partition, references = [], traps = []}) => {
      const keyLine = key.length === 0 ? "" : ` Key: ${key.map((name) => `\`${name}\``).join(", ")}.`;
      const all =
        partition === undefined || columns.some(({name}) => name === partition.name)
          ? columns
          : [...columns, partition];
      const rows = all.map((column) => [`\`${column.name}\``, column.type, meaning(column)]);
      const list = [...references.map(referenceText), ...traps]
        .map((sentence) => `- ${sentence}.\n`)
        .join("");
      const notes = list === "" ? "" : `${list}\n`;
      return `\n### ${path}\n\n${about}.${keyLine}\n\n${notes}${table(["column", "type", "meaning"], rows)}`;
    })
    .join("")
    .concat("\n");
}
