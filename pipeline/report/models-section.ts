import {dirname} from "node:path";
import {countWithNoun, countWords} from "../../lib/counts.ts";
import type {ModelCost, ModelReport} from "../../schemas/model-report.ts";
import {type Box, drawGraph} from "./graph-drawing.ts";
import {type Cell, htmlPage, htmlSection, htmlTable, htmlText, type Section} from "./html.ts";

/** A model, with its cost where it is shown: a file of a build has none, because it is another in each run. */
export type ShownModel = ModelReport & Partial<ModelCost>;

/** The rules that the graphs and lists of models add to the style of a page; its colours are variables there. */
export const modelsStyle = `.graph text{font:12px ui-monospace,monospace;text-anchor:middle;fill:var(--ink)}.graph .note{font:11px system-ui,sans-serif;fill:var(--soft)}
.graph rect{fill:var(--box);stroke:var(--line)}.graph path{fill:none;stroke:var(--line)}.graph a:hover rect,.graph a:focus rect{stroke:var(--link);stroke-width:2}
.graph g:hover path{stroke:var(--link);stroke-width:2.5}svg.graph{max-width:none}.room{margin:.8rem 0}.room>summary{font-size:1.05rem}.model{margin:.15rem 0 .15rem 1rem}
.model p,.model summary{margin:.3rem 0;overflow-wrap:anywhere}.model pre{font:12px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--box);padding:.6rem;margin:.4rem 0}
.room [id]{scroll-margin-top:2rem}`;

/**
 * The models of the market as graphs: one of rooms, and in each room one of its models, with the SQL of each. Null without models, as in a
 * build without a market.
 */
export function modelsSection(models: readonly ShownModel[]): Section | null {
  if (models.length === 0) return null;
  const rooms = Map.groupBy(models, roomOf);
  const roomBoxes = ladderOf(models).map((room): Box => {
    const held = rooms.get(room)!;
    const from = [...new Set(held.flatMap(({reads}) => reads.map((read) => roomOfName(read, models))))];
    return {
      id: room,
      notes: [countWithNoun(held.length, "model"), figuresText(sumOf(held))],
      href: `#room-${room}`,
      title: `${room}: ${countWithNoun(held.length, "model")}`,
      from: from.filter((other) => other !== room),
    };
  });
  const table = roomBoxes.map(({id, from}): Cell[] => {
    const held = rooms.get(id)!;
    const {rows, seconds} = sumOf(held);
    return [
      id,
      held.length,
      rows ?? "-",
      ...(seconds === undefined ? [] : [seconds.toFixed(2)]),
      from.join(", "),
    ];
  });
  const hasCosts = models.some(({seconds}) => seconds !== undefined);
  const columns = ["room", "models", "rows", ...(hasCosts ? ["seconds"] : []), "reads models of"];
  return {
    id: "models",
    heading: "Models of the market",
    caption: `The ${models.length} tables and views from which the market's files are made, by room: a folder below pipeline/market/. Each reads models of rooms above it, and a view stores no rows.${hasCosts ? "" : " The data folder has seconds and memory beside the builds, in models/."}`,
    plot: `<div class="wide">${drawGraph(roomBoxes)}</div>`,
    table: [
      htmlTable("Rooms", columns, table),
      ...roomBoxes.map(({id}) => roomHtml(id, rooms.get(id)!, models)),
    ].join("\n"),
  };
}

/** Renders the models of a build with what they cost, as a page of its own. */
export function modelsPage(buildId: string, models: readonly ShownModel[]): string {
  const section = modelsSection(models);
  const title = `Models of the market, build ${buildId}`;
  return htmlPage(title, section === null ? "<p>None.</p>" : htmlSection(section), modelsStyle);
}

/** The folder of a model's file, below that of the market. */
function roomOf({file}: ModelReport): string {
  return dirname(file).replace(/^pipeline\/market\/?/, "") || "market";
}

function roomOfName(name: string, models: readonly ShownModel[]): string {
  return roomOf(models.find((model) => model.name === name)!);
}

/** The rooms, each after those of which it reads models, which the ladder of folders allows. */
function ladderOf(models: readonly ShownModel[]): string[] {
  const reads = new Map<string, Set<string>>();
  for (const model of models) {
    const room = roomOf(model);
    if (!reads.has(room)) reads.set(room, new Set());
    for (const read of model.reads) reads.get(room)!.add(roomOfName(read, models));
  }
  const ordered = new Set<string>();
  const visit = (room: string, path: readonly string[]) => {
    if (ordered.has(room) || path.includes(room)) return;
    for (const read of reads.get(room)!) visit(read, [...path, room]);
    ordered.add(room);
  };
  for (const room of reads.keys()) visit(room, []);
  return [...ordered];
}

type Figures = {readonly rows: number | null; readonly seconds?: number | undefined};

function sumOf(models: readonly ShownModel[]): Figures {
  const seconds = models.flatMap((model) => model.seconds ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    rows: sum(models.map(({rows}) => rows ?? 0)),
    seconds: seconds.length === 0 ? undefined : sum(seconds),
  };
}

function figuresText({rows, seconds}: Figures): string {
  return [
    ...(rows === null ? [] : [countWithNoun(rows, "row")]),
    ...(seconds === undefined ? [] : [`${seconds.toFixed(2)} s`]),
  ].join(" · ");
}

function roomHtml(room: string, roomModels: readonly ShownModel[], models: readonly ShownModel[]): string {
  const readers = new Map(models.map(({name}) => [name, [] as string[]]));
  for (const {name, reads} of models) for (const read of reads) readers.get(read)?.push(name);
  const boxes = roomModels.map((model): Box => {
    const others = Map.groupBy(
      model.reads.map((read) => roomOfName(read, models)).filter((other) => other !== room),
      (other) => other,
    );
    const elsewhere = [...others].map(([other, reads]) => `+${reads.length} ${other}`).join(", ");
    return {
      id: model.name,
      notes: [[kindText(model), figuresText(model)].filter(Boolean).join(" · "), elsewhere].filter(Boolean),
      href: `#model-${model.name}`,
      title: model.reads.length === 0 ? model.name : `${model.name} reads ${model.reads.join(", ")}`,
      from: model.reads,
    };
  });
  const list = roomModels.map((model) => modelHtml(model, readers.get(model.name)!)).join("\n");
  const figures = figuresText(sumOf(roomModels));
  return `<details class="room"><summary>${room}: ${countWithNoun(roomModels.length, "model")}, ${figures}</summary>
<div class="wide" id="room-${room}">${drawGraph(boxes)}</div>
${list}</details>`;
}

function kindText({kind}: ShownModel): string {
  return kind === "view" || kind === "input" ? kind : "";
}

const kindWords: Readonly<Record<ModelReport["kind"], string>> = {
  view: "a view, made anew for each reader",
  temp: "a table, dropped after its last reader",
  table: "a table",
  file: "a file beside the database",
  rows: "a table of rows that TypeScript gives",
  files: "files that TypeScript writes",
  input: "a table that the readers of raw files fill",
};

function modelHtml(model: ShownModel, readers: readonly string[]): string {
  const {name, file, kind, reads, sql} = model;
  const summary = [name, figuresText(model)].filter(Boolean).join(": ");
  const lines = [
    `${kindWords[kind]}, in <code>${htmlText(file)}</code>`,
    ...(reads.length === 0 ? [] : [`reads ${linksTo(reads)}`]),
    ...(readers.length === 0 ? [] : [`read by ${linksTo(readers)}`]),
    ...(model.bytes === undefined || model.bytes === null
      ? []
      : [`${countWords(Math.ceil(model.bytes / 1024))} KiB of memory`]),
  ].map((line) => `<p>${line}</p>`);
  const text = sql === null ? "" : `<pre>${htmlText(sql)}</pre>`;
  return `<details class="model"><summary>${htmlText(summary)}</summary><div id="model-${name}">${lines.join("")}${text}</div></details>`;
}

function linksTo(names: readonly string[]): string {
  return names.map((name) => `<a href="#model-${name}">${name}</a>`).join(" ");
}
