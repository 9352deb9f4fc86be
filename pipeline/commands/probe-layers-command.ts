import type {Command} from "commander";
import {countWithNoun} from "../../lib/counts.ts";
import {UsageError, UserError} from "../../lib/errors.ts";
import {stateCodeOf} from "../../lib/geography/states.ts";
import {lockRun} from "../../lib/process/run-folder.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {
  healthAfter,
  isGoodMark,
  type LayerHealths,
  readLayerHealth,
  writeLayerHealth,
} from "../../lib/registry/layer-health-files.ts";
import {readDecisions} from "../../lib/registry/layer-terms.ts";
import {type LayerSource, layersOnMiss} from "../../lib/registry/layers-on-miss.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import {type MarkedLayer, markLayers} from "../fetch/probe/mark-layers.ts";
import {chosenData, print, printJson, runClock, textTable} from "./command-line.ts";
import {userAgentOf} from "./fetch-command.ts";
import {STOPPED, stopSignal} from "./stopping.ts";

type ProbeFlags = {state?: string[]; again?: boolean; out?: string; json?: boolean};

/** Layers after which what was learnt is written, so that a probe that is killed loses little. */
const writtenTogether = 20;
const dayMs = 24 * 3_600_000;

/** Adds `sources probe`, which asks the layers of counties and states how they are, before a miss does. */
export function probeLayersCommand(sources: Command): void {
  sources
    .command("probe [id...]")
    .description(
      "ask each layer that serves misses for its metadata and a few rows, and mark it (good, gone, token …); those asked within a day are left out, so that a probe that was stopped goes on",
    )
    .option("--state <state...>", "only layers of these states")
    .option("--again", "those asked within a day, too")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--json", "as JSON")
    .action(async (ids: string[], flags: ProbeFlags) => {
      process.exitCode = await probeLayers(chosenData(flags.out), ids, flags);
    });
}

/**
 * Probes the layers under the fetch lock, because the rates of hosts are those of one process, and keeps their marks for servers and
 * other commands. Returns 3 if one that was asked is not good. Throws a `UserError` if none could be reached: the marks then stay.
 */
async function probeLayers(data: DataFolder, ids: readonly string[], flags: ProbeFlags): Promise<number> {
  const wanted = wantedLayers(layersOnMiss(readDecisions(data)), ids, flags.state);
  const now = runClock();
  const settings = readSettings();
  using stop = stopSignal();
  await using _lock = await lockRun(data, "fetch");
  const known = new Map(await readLayerHealth(data, now()));
  const asked = flags.again === true ? wanted : wanted.filter(({id}) => !isFresh(known, id, now()));
  const marked: MarkedLayer[] = [];
  const write = async () => {
    if (marked.some(({isReached}) => isReached)) await writeLayerHealth(data, "probe", known);
  };
  await markLayers(asked, {
    ...{signal: stop.signal, now, proxy: settings.CATTLE_PROXY},
    userAgent: userAgentOf(settings.CATTLE_CONTACT),
    onEnd: async (layer) => {
      const {source, verdict} = layer;
      if (verdict !== null) known.set(source.id, healthAfter(known.get(source.id), verdict));
      marked.push(layer);
      writeNote(`${marked.length} of ${asked.length}  ${source.id}  ${verdict?.mark ?? "not marked"}\n`);
      if (marked.length % writtenTogether === 0) await write();
    },
  });
  await write();
  if (marked.length > 0 && marked.every(({isReached}) => !isReached))
    throw new UserError(
      `none of ${countWithNoun(marked.length, "layer")} could be reached, the first: ${marked[0]!.reason}; nothing was marked.`,
    );
  printMarked(marked, {left: wanted.length - asked.length, json: flags.json === true});
  if (stop.signal.aborted) return STOPPED;
  return marked.every(({verdict}) => verdict !== null && isGoodMark(verdict.mark)) ? 0 : 3;
}

function wantedLayers(
  layers: readonly LayerSource[],
  ids: readonly string[],
  states: readonly string[] | undefined,
): LayerSource[] {
  const unknown = ids.find((id) => !layers.some((layer) => layer.id === id));
  if (unknown !== undefined)
    throw new UsageError(`${unknown}: no layer that may be asked; "cattle sources ls" lists the sources.`);
  const codes = states?.map((state) => {
    const code = stateCodeOf(state);
    if (code === undefined) throw new UsageError(`${state}: no state or province.`);
    return code;
  });
  return layers.filter(
    ({id, coverage}) =>
      (ids.length === 0 || ids.includes(id)) && (codes === undefined || codes.includes(coverage.state)),
  );
}

function isFresh(known: LayerHealths, id: string, now: Date): boolean {
  const health = known.get(id);
  return health !== undefined && now.getTime() - Date.parse(health.at) < dayMs;
}

function printMarked(marked: readonly MarkedLayer[], {left, json}: {left: number; json: boolean}): void {
  const rows = marked
    .map(({source, verdict, reason}) => ({
      id: source.id,
      state: source.coverage.state,
      mark: verdict?.mark ?? null,
      reason,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (json) {
    printJson(rows);
    return;
  }
  const bad = rows.filter(({mark}) => mark !== "good");
  if (bad.length > 0)
    print(
      textTable(
        ["layer", "state", "mark", "reason"],
        bad.map(({id, state, mark, reason}) => [id, state, mark ?? "not marked", reason ?? ""]),
      ),
    );
  const counts = [...Map.groupBy(rows, ({mark}) => mark ?? "not marked")].map(
    ([mark, own]) => `${own.length} ${mark}`,
  );
  const asked =
    rows.length === 0
      ? "no layer asked"
      : `${countWithNoun(rows.length, "layer")} asked: ${counts.join(", ")}`;
  print(left === 0 ? asked : `${asked}; ${left} asked within a day`);
}
