import type {Command} from "commander";
import {z} from "zod";
import {UserError} from "../../lib/errors.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {buildFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {visibleText} from "../../lib/text/visible-text.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {answerDirectly, type DirectAnswer, openPublished} from "../http/direct-answer.ts";
import {deployed, type Endpoint} from "../http/endpoint.ts";
import {listedWords, stateCodes} from "../http/parameter-kinds.ts";
import {suggestedParameters} from "../http/parameters.ts";
import {spokenValues} from "../http/spoken-values.ts";
import {type RecordMeasure, recordMeasures} from "../market/record-measures.ts";
import {describeAnswer} from "../text/describe-answer.ts";
import {withMeasures} from "../text/measure-table.ts";
import {terminalText} from "./terminal-text.ts";

const PIPE_WIDTH = 120;

type QuestionDeps = {
  endpoints: readonly Endpoint[];
  openState: OpenState;
  print: (text: string) => void;
};

/** The lookup commands: word, endpoint path, and the parameters that may be positional. */
const lookups = [
  {word: "address", path: "/public/land-agent/property/address-lookup", plain: ["address"]},
  {word: "parcel", path: "/public/land-agent/property/parcel-id-lookup", plain: ["parcelId"]},
  {word: "near", path: "/public/land-agent/property/location-search", plain: ["latitude", "longitude"]},
  {word: "owner", path: "/public/land-agent/property/owner-search", plain: ["owner"]},
] as const;

/** Adds `market PATH`, `lookup address|parcel|near|owner` and `coverage`, which print answers as tables and cards without a server. */
export function questionCommands(program: Command, deps: QuestionDeps): void {
  const market = program.command("market").description("ask a cattle-market endpoint on the terminal");
  // The path with its slash works too, but as an alias in the list it would show every word twice.
  market.configureHelp({subcommandTerm: (command) => command.name()});
  for (const endpoint of deps.endpoints.filter(({family}) => family === "market")) {
    addQuestion(market, {word: endpoint.path.slice(1), endpoint, plain: []}, deps).alias(endpoint.path);
  }
  const lookup = program.command("lookup").description("look up a parcel on the terminal");
  for (const {word, path, plain} of lookups) {
    const endpoint = deps.endpoints.find((candidate) => candidate.path === path);
    if (endpoint !== undefined) addQuestion(lookup, {word, endpoint, plain}, deps);
  }
  const covered = deps.endpoints.find(({family}) => family === "coverage");
  if (covered !== undefined)
    addQuestion(program, {word: "coverage", endpoint: covered, plain: ["state"]}, deps);
}

type Question = {word: string; endpoint: Endpoint; plain: readonly string[]};

/** Adds one command with the endpoint's parameters as options; those in `plain` may also be positional. */
function addQuestion(parent: Command, {word, endpoint, plain}: Question, deps: QuestionDeps): Command {
  const command = parent.command(word).description(endpoint.summary);
  const names = Object.keys(endpoint.parameters.shape);
  command.configureHelp({optionDescription: ({description}) => description});
  command.configureOutput({outputError: (text, write) => write(withSuggestions(text, names))});
  for (const name of plain)
    command.argument(`[${name}]`, endpoint.parameters.shape[name]?.description ?? name);
  const members = new Map<string, string>();
  for (const [name, schema] of Object.entries(endpoint.parameters.shape)) {
    const about = (schema as z.ZodType).description ?? "";
    const option = command.createOption(`--${optionName(name)} <value>`, about);
    members.set(option.attributeName(), name);
    // Used for shell completion only. The endpoint validates the value, which may be another word.
    option.argChoices = completedWords(name, schema as z.ZodType);
    command.addOption(option);
  }
  // Records of a class of cattle are prices, and only these have measures.
  if ("class" in endpoint.parameters.shape) {
    command.option(
      "--measures",
      "also show value of gain, slide and seasonal index for the records' cells, at their barns",
    );
  }
  command.option("--json", "exactly the bytes of the HTTP answer, on one line");
  return command.action(async () => {
    const {json = false, measures = false, ...options} = command.opts<Flags & Record<string, string>>();
    const named = Object.fromEntries(
      Object.entries(options).map(([member, value]) => [members.get(member)!, value]),
    );
    const words = Object.fromEntries(command.args.map((value, at) => [plain[at], value]));
    const values = spokenValues({...words, ...named});
    await answer(command, {endpoint, values, json, measures}, deps);
  });
}

/** A parameter as an option of a command: `rate_per_mile` is `--rate-per-mile`. */
function optionName(parameter: string): string {
  return parameter.replaceAll("_", "-");
}

type Flags = {json?: boolean; measures?: boolean};
type Filled = Required<Flags> & {endpoint: Endpoint; values: Record<string, string>};

async function answer(command: Command, filled: Filled, deps: QuestionDeps): Promise<void> {
  const {endpoint, values, json, measures} = filled;
  const settings = readSettings();
  const data = dataFolder(settings.CATTLE_DATA);
  const generation = await openPublished(data, deps.openState);
  const given = await answerDirectly(deployed(endpoint, settings), values, {generation, settings});
  const found =
    measures && given.ok
      ? await recordMeasures(buildFolder(data, generation.buildId), JSON.parse(given.body))
      : null;
  const text = json ? jsonText(given.body, found) : visibleText(tablesText(endpoint.path, given, found));
  if (given.ok) deps.print(text);
  else if (isWrongQuestion(given.body)) command.error(text, {exitCode: 2});
  else throw new UserError(text);
}

/** Returns the answer unchanged, with the measures appended as its last member if they were asked for. */
function jsonText(body: string, measures: readonly RecordMeasure[] | null): string {
  return measures === null ? body : `${body.slice(0, -1)},"measures":${JSON.stringify(measures)}}`;
}

function tablesText(path: string, given: DirectAnswer, measures: readonly RecordMeasure[] | null): string {
  const described = describeAnswer(path, given);
  const width = process.stdout.columns ?? PIPE_WIDTH;
  return terminalText(measures === null ? described : withMeasures(described, measures), width);
}

/** True for a malformed question, which is a usage error; a missing parcel or missing data is a failure. */
function isWrongQuestion(problem: string): boolean {
  return (JSON.parse(problem) as {status: number}).status === 400;
}

/** Returns the words that a shell completes for a parameter: its listed words or its enum values. */
export function completedWords(name: string, schema: z.ZodType): string[] {
  if (name === "state") return [...stateCodes];
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return [...(listedWords.get(schema)?.words ?? [])].concat(
    inner instanceof z.ZodEnum ? inner.options.map(String) : [],
  );
}

/** Adds to a command-line error its cure: quotes around words, or the options that an unknown one may stand for (`--latitude` is `--lat`). */
function withSuggestions(error: string, names: readonly string[]): string {
  if (error.startsWith("error: too many arguments"))
    return `${error.split("\n")[0]}\n(Put words with blanks in quotes: "116 W Main St".)\n`;
  const given = /^error: unknown option '--([^'=]+)/.exec(error)?.[1];
  const meant = given === undefined ? [] : suggestedParameters(given, names);
  if (meant.length === 0) return error;
  return `${error.split("\n")[0]}\n(Did you mean ${meant.map((name) => `--${optionName(name)}`).join(" or ")}?)\n`;
}
