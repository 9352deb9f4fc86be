import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {appendFile, mkdir, rename, rm, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {digestFile, ownIdentity} from "@open-cattle/safe-files";
import fc from "fast-check";
import {expect, test} from "vitest";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {encodeLine} from "../../lib/delta/segment-files.ts";
import {continueReading, initialState} from "../../lib/delta/segment-reader.ts";
import {DeltaWriter} from "../../lib/delta/segment-writer.ts";
import {recordMembersOf} from "../../lib/parcels/record/stored-record.ts";
import {carriedPath} from "../../lib/storage/build-layout.ts";
import {carriedText, readCarried, readDeltaInputs} from "../../pipeline/parts/delta-inputs.ts";
import type {Published} from "../../pipeline/parts/published-builds.ts";
import {hasConsumed, repairSegments, segmentFacts} from "../../pipeline/publish/segments.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {GrowingView} from "../../server/delta/delta-view.ts";
import {chosenSeed} from "../crash/misses.ts";
import {note, sizeOf} from "../crash/table.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {discoveryOf} from "./fake-county.ts";

const runs = sizeOf("D8", {push: 500, long: 10_000});
const lanes = 4;
const states = ["TX", "OK"] as const;
const counties = ["48453", "40109"] as const;

type Command =
  | {do: "append"; state: 0 | 1; parcel: number; server: 0 | 1}
  | {do: "crash"; server: 0 | 1; torn: boolean; dead: boolean}
  | {do: "seal"; server: 0 | 1}
  | {do: "build"; held: readonly (0 | 1)[]}
  | {do: "publish" | "gc"}
  | {do: "rollback"; back: number};

const place = fc.constantFrom<0 | 1>(0, 1);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      state: place,
      parcel: fc.nat(3),
      server: place,
    }),
  },
  fc.record({do: fc.constant("crash" as const), server: place, torn: fc.boolean(), dead: fc.boolean()}),
  fc.record({do: fc.constant("seal" as const), server: place}),
  fc.record({do: fc.constant("build" as const), held: fc.uniqueArray(place)}),
  fc.record({do: fc.constantFrom("publish" as const, "gc" as const)}),
  fc.record({do: fc.constant("rollback" as const), back: fc.nat(2)}),
);

/** The newest acknowledged value of each parcel, which must always be found. */
type Model = Map<string, number>;

/** A data folder with two servers and builds with only discovered parcels: all that the delta's promises depend on. */
class World {
  readonly delta = join(temporaryFolder(), "delta");
  readonly model: Model = new Map();
  readonly builds: Published[] = [];
  current: Published | null = null;
  #staged: Published | null = null;
  #writers: DeltaWriter[];
  #values = 0;
  /** Writers of dead processes, closed at the end to release their files. */
  readonly #gone: DeltaWriter[] = [];
  #names: (string | null)[] = [null, null];

  constructor() {
    mkdirSync(this.delta, {recursive: true});
    this.#writers = [this.#writer(0), this.#writer(1)];
  }

  #writer(server: 0 | 1): DeltaWriter {
    return new DeltaWriter({
      folder: this.delta,
      writer: ownIdentity(),
      baseBuildId: "",
      onPersisted: ({segment}) => {
        this.#names[server] = segment;
      },
    });
  }

  async run(step: Command): Promise<void> {
    if (step.do === "append") await this.#append(step);
    else if (step.do === "crash") await this.#crash(step);
    else if (step.do === "seal") await this.#writers[step.server]!.rotate("");
    else if (step.do === "build") this.#staged = await this.#build(step.held.map((at) => states[at]));
    else if (step.do === "publish") await this.#publish();
    else if (step.do === "rollback") this.current = this.builds.at(-1 - step.back) ?? this.current;
    else await this.#gc();
  }

  async #append({state, parcel, server}: {state: 0 | 1; parcel: number; server: 0 | 1}): Promise<void> {
    const value = ++this.#values;
    const {upsert} = discoveryOf({id: `M${parcel}`, owner: "A"});
    const key = {...upsert.key, state: states[state], county: counties[state]};
    const row = {...upsert.row, legal_desc: String(value)};
    if (await this.#writers[server]!.append({...upsert, key, row})) {
      this.model.set(`${states[state]} M${parcel}`, value);
      // Two records of one millisecond and sequence are ordered by their segments' names, which are random.
      // A timer may fire within the millisecond in which it was set.
      for (const stored = Date.now(); Date.now() === stored; )
        await new Promise((next) => setTimeout(next, 1));
    }
  }

  /** Ends a process without a flush or end line: in mid-write if `torn`, provably dead if `dead`. */
  async #crash({server, torn, dead}: {server: 0 | 1; torn: boolean; dead: boolean}): Promise<void> {
    const name = this.#names[server];
    const facts =
      name === null ? undefined : (await segmentFacts(this.delta)).find(({file}) => file.name === name);
    if (facts !== undefined && !facts.ended && !facts.file.retired) {
      if (dead) pretendDead(facts.file.path);
      if (torn) await appendFile(facts.file.path, '{"crc":"00000000","rec":{"kin');
    }
    this.#names[server] = null;
    this.#gone.push(this.#writers[server]!);
    this.#writers[server] = this.#writer(server);
  }

  async #build(held: readonly string[]): Promise<Published> {
    await repairSegments(this.delta);
    const inputs = await readDeltaInputs([this.delta], this.current);
    const dir = temporaryFolder();
    const parts: Manifest["states"] = {};
    for (const state of states) {
      const base = this.current?.manifest.states[state];
      if (held.includes(state)) {
        if (base !== undefined) parts[state] = {...base, files: await this.#link(dir, state, base)};
        continue;
      }
      const path = carriedPath(state);
      await mkdir(dirname(join(dir, path)), {recursive: true});
      await writeFile(join(dir, path), carriedText(inputs.states.get(state)?.records ?? []));
      const file = {path, ...(await digestFile(join(dir, path))), rows: null, schema_sha256: null};
      parts[state] = {
        delta: [...inputs.marksOf(state)],
        files: [file],
        sources: [],
      } as unknown as Manifest["states"][string];
    }
    return {dir, manifest: {states: parts} as unknown as Manifest};
  }

  async #link(dir: string, state: string, base: Manifest["states"][string]) {
    const path = carriedPath(state);
    await mkdir(dirname(join(dir, path)), {recursive: true});
    await writeFile(join(dir, path), readFileSync(join(this.current!.dir, path)));
    return base.files;
  }

  async #publish(): Promise<void> {
    if (this.#staged === null) return;
    this.current = this.#staged;
    this.builds.push(this.#staged);
    this.#staged = null;
    await mkdir(join(this.delta, "retired"), {recursive: true});
    for (const segment of await segmentFacts(this.delta)) {
      const {file} = segment;
      if (!file.retired && hasConsumed(this.current.manifest, segment))
        await rename(file.path, join(this.delta, "retired", file.name));
    }
  }

  /** Keeps the last two builds and the current one, and the segments that one of them lacks. */
  async #gc(): Promise<void> {
    const kept = this.builds.filter((build, i) => build === this.current || i >= this.builds.length - 2);
    this.builds.splice(0, this.builds.length, ...kept);
    if (kept.length === 0) return;
    for (const segment of await segmentFacts(this.delta)) {
      if (segment.file.retired && kept.every(({manifest}) => hasConsumed(manifest, segment)))
        await rm(segment.file.path);
    }
  }

  /** The parcels that a new server on the current build finds. */
  async found(): Promise<Model> {
    const found: Model = new Map();
    for (const [state, part] of Object.entries(this.current?.manifest.states ?? {})) {
      const text = readFileSync(join(this.current!.dir, part.files[0]!.path), "utf8");
      for (const {record} of readCarried(text))
        found.set(`${state} ${record.key.parcelId}`, Number(record.row["legal_desc"]));
    }
    const view = new GrowingView({manifest: this.current?.manifest ?? noBuild, states: new Map()}, records);
    const placed: PlacedRecord[] = [];
    await new DeltaReader(this.delta).poll((each) => void placed.push(each));
    await view.fold(placed);
    for (const [key, value] of shownBy(view)) found.set(key, Math.max(value, found.get(key) ?? 0));
    return found;
  }

  close(): Promise<unknown> {
    return Promise.all([...this.#writers, ...this.#gone].map((writer) => writer.close()));
  }
}

const records = createFindMaker();
const noBuild = {states: {}, as_of_date: "2026-11-21"} as unknown as Manifest;

function shownBy(view: GrowingView): [string, number][] {
  return view.sets(null).flatMap((set) =>
    Array.from({length: 4}, (_, n) => `M${n}`).flatMap((id): [string, number][] => {
      const [hit] = set.ids.find(id);
      return hit === undefined
        ? []
        : [[`${set.state} ${id}`, Number(recordMembersOf(set.record(hit.row))["legalDesc"])]];
    }),
  );
}

/** Replaces the process start time in the header, with as many digits so that no line moves: the process counts as dead. */
function pretendDead(path: string): void {
  const bytes = readFileSync(path);
  const header = continueReading(initialState, bytes).state.header!;
  const startTicks = header.writer.startTicks.replaceAll(/\d/g, "0");
  encodeLine({...header, writer: {...header.writer, startTicks}}).copy(bytes);
  writeFileSync(path, bytes);
}

test(
  `D8: whatever servers, builds and operators do, every acknowledged parcel is found (${runs} runs)`,
  async () => {
    const seed = chosenSeed();
    // Runs mostly wait for the disk, so several run concurrently.
    const steps = await Promise.all(Array.from({length: lanes}, (_, lane) => checkModel(seed + lane)));
    const commands = steps.reduce((sum, count) => sum + count, 0);
    note("D8", `${runs} runs of the model`, `${commands} commands, 0 acknowledged parcels missing`, seed);
  },
  runs * 2_000 + 30_000,
);

/** One lane of runs; returns the executed commands. Throws with the shortest failing list of commands. */
async function checkModel(seed: number): Promise<number> {
  let steps = 0;
  const property = fc.asyncProperty(fc.array(command, {maxLength: 50, size: "max"}), async (commands) => {
    const world = new World();
    for (const step of commands) {
      await world.run(step);
      steps += 1;
      if (step.do !== "append") expectFound(world.model, await world.found());
    }
    expectFound(world.model, await world.found());
    await world.close();
  });
  const details = await fc.check(property, {numRuns: Math.ceil(runs / lanes), seed});
  if (details.failed) throw new Error(fc.defaultReportMessage(details) ?? "failed");
  return steps;
}

/** Expects the newest acknowledged value of every parcel. */
function expectFound(model: Model, found: Model): void {
  for (const [key, value] of model) expect([key, found.get(key) ?? 0]).toEqual([key, value]);
}
