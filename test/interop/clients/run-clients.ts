// Generates clients from the OpenAPI document of a running server with tools that are not ours, compiles them, calls all endpoints, and
// compares a field of each answer with the server's own; asks as a client of another property API does, and as an agent does; reads the document with two linters; and puts generated requests to the server. Arguments: address, key, a folder to
// work in, and the number of generated requests. Prints a table; what cannot be installed is named in it as not run.
import {execFile} from "node:child_process";
import {cpSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {promisify} from "node:util";
import {asOpenApi30} from "./openapi-3.0.ts";

const here = import.meta.dirname;
const root = join(here, "..", "..", "..");
const [address = "", key = "", work = "", requests = "20000"] = process.argv.slice(2);
const calls = join(here, "calls");
const document = join(work, "openapi.json");
const java = {version: "7.25.0", jar: join(work, "openapi-generator-cli-7.25.0.jar")};
const npm = {
  "@stoplight/spectral-cli": "6.16.3",
  "@redocly/cli": "2.77.0",
  "openapi-typescript": "7.13.0",
  "openapi-fetch": "0.17.0",
};
const oapi = {
  generator: "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen",
  version: "v2.8.2",
  runtime: "github.com/oapi-codegen/runtime v1.8.0",
};
const python = join(work, "venv", "bin", "python");
const typescript = join(work, "typescript");
const tool = (name: string) => join(typescript, "node_modules", ".bin", name);
const SCHEMATHESIS_MINUTES = 60;

/** A reader of the document: how to obtain it, and what it does; a failing step is named in the table. */
type Reader = {
  name: string;
  version: string;
  what: string;
  needs: readonly Registry[];
  run: () => Promise<string>;
};

/** Registries that tools come from. */
type Registry = "npm" | "PyPI" | "Maven" | "Go" | "crates" | "R";

const run = promisify(execFile);

/** Runs a program and returns its output. Throws with its last lines if it fails. */
async function output(program: string, given: string[], options: {cwd?: string; env?: object} = {}) {
  const {env, cwd = work} = options;
  const minutes = SCHEMATHESIS_MINUTES * 60_000;
  const {stdout} = await run(program, given, {
    cwd,
    env: {...process.env, ...env},
    maxBuffer: 1 << 28,
    timeout: minutes,
  });
  return stdout;
}

/** The field of each operation's answer that clients print, as a JSON pointer. */
const fieldsFile = join(calls, "fields.json");
const fields = JSON.parse(readFileSync(fieldsFile, "utf8")) as Record<string, string>;

type Operation = {operationId: string; parameters: {name: string; example?: string}[]};

/** Sends every example request without a generated client; returns the fields of the answers by operation. */
async function plainAnswers(paths: Record<string, {get: Operation}>): Promise<Map<string, unknown>> {
  const asked = Object.entries(paths).map(async ([path, {get}]): Promise<[string, unknown]> => {
    const examples = get.parameters.map(({name, example = ""}) => [name, example]);
    const reply = await fetch(`${address}${path}?${new URLSearchParams(Object.fromEntries(examples))}`, {
      headers: {"X-API-Key": key},
    });
    const steps = fields[get.operationId]!.split("/").slice(1);
    type Node = Record<string, unknown> | undefined;
    const field = steps.reduce<unknown>((value, step) => (value as Node)?.[step], await reply.json());
    if (field === undefined) throw new Error(`${path}: ${reply.status}, no ${fields[get.operationId]}`);
    return [get.operationId, field];
  });
  return new Map(await Promise.all(asked));
}

/** Compares the fields printed by a client, one line per operation. Throws if one is missing or different. */
function compared(printed: string): string {
  const lines = printed.trim().split("\n");
  const told = new Map(lines.map((line) => [line.split(" ")[0]!, line.slice(line.indexOf(" ") + 1)]));
  const wrong = [...expected].filter(([operation, field]) =>
    typeof field === "number" ? Number(told.get(operation)) !== field : told.get(operation) !== field,
  );
  if (wrong.length > 0) throw new Error(`wanted ${JSON.stringify(wrong)} in: ${printed}`);
  return `generated, compiled, a field of ${expected.size} of ${expected.size} endpoints as the server says it`;
}

async function generate(language: string, folder: string, properties = ""): Promise<void> {
  const given = ["-jar", java.jar, "generate", "-i", document, "-g", language, "-o", join(work, folder)];
  await output("java", [...given, ...(properties === "" ? [] : [`--additional-properties=${properties}`])]);
}

async function pythonGenerator(): Promise<string> {
  await generate("python", "python");
  await output(python, ["-m", "pip", "install", "--quiet", "-r", join(work, "python", "requirements.txt")]);
  await output(python, ["-m", "compileall", "-q", join(work, "python", "openapi_client")]);
  const script = join(calls, "call_openapi_generator.py");
  return compared(
    await output(python, [script, document, address, key], {env: {PYTHONPATH: join(work, "python")}}),
  );
}

async function javaGenerator(): Promise<string> {
  const folder = join(work, "java");
  await generate("java", "java", "library=native,hideGenerationTimestamp=true");
  const copy = [
    "dependency:copy-dependencies",
    "-DincludeScope=runtime",
    "-DoutputDirectory=target/libraries",
  ];
  await output("mvn", ["-q", "-B", "-Dmaven.test.skip=true", "compile", ...copy], {cwd: folder});
  const path = `${join(folder, "target", "classes")}:${join(folder, "target", "libraries", "*")}`;
  await output("javac", ["-cp", path, "-d", join(folder, "calls"), join(calls, "CallAll.java")]);
  const given = ["-cp", `${join(folder, "calls")}:${path}`, "CallAll", document, address, key, fieldsFile];
  return compared(await output("java", given));
}

async function pythonClient(): Promise<string> {
  const folder = join(work, "python-client");
  const settings = join(work, "python-client.yaml");
  writeFileSync(settings, "package_name_override: cattle_client\npost_hooks: []\n");
  const given = ["generate", "--path", document, "--output-path", folder, "--config", settings];
  await output(join(work, "venv", "bin", "openapi-python-client"), [...given, "--fail-on-warning"]);
  await output(python, ["-m", "compileall", "-q", join(folder, "cattle_client")]);
  const script = join(calls, "call_openapi_python_client.py");
  return compared(
    await output(python, [script, document, address, key, "cattle_client"], {env: {PYTHONPATH: folder}}),
  );
}

/** Compiles a caller and its imports in strict mode, and runs it. */
async function compiledCalls(script: string): Promise<string> {
  cpSync(join(calls, `${script}.ts`), join(typescript, `${script}.ts`));
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    outDir: "out",
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
  };
  const project = join(typescript, `${script}.json`);
  writeFileSync(project, JSON.stringify({compilerOptions, files: [`${script}.ts`]}));
  await output(join(root, "node_modules", ".bin", "tsc"), ["-p", project]);
  return compared(await output(process.execPath, [join(typescript, "out", `${script}.js`), address, key]));
}

async function typescriptGenerator(): Promise<string> {
  await generate("typescript-fetch", "typescript/generated", "importFileExtension=.js");
  return compiledCalls("call-typescript-fetch");
}

async function typescriptTypes(): Promise<string> {
  await output(process.execPath, [tool("openapi-typescript"), document, "-o", join(typescript, "types.ts")]);
  return compiledCalls("call-openapi-fetch");
}

async function go(): Promise<string> {
  const folder = join(work, "go");
  mkdirSync(join(folder, "cattle"), {recursive: true});
  const generated = [
    "-generate",
    "types,client",
    "-package",
    "cattle",
    "-o",
    join(folder, "cattle", "client.go"),
  ];
  await output("go", ["run", `${oapi.generator}@${oapi.version}`, ...generated, document]);
  cpSync(join(calls, "call_all.go"), join(folder, "main.go"));
  writeFileSync(join(folder, "go.mod"), `module interop\n\ngo 1.24\n\nrequire ${oapi.runtime}\n`);
  await output("go", ["mod", "tidy"], {cwd: folder});
  await output("go", ["vet", "./..."], {cwd: folder});
  return compared(await output("go", ["run", ".", address, key], {cwd: folder}));
}

/** Progenitor reads only OpenAPI 3.0. */
async function rust(): Promise<string> {
  const folder = join(work, "rust");
  mkdirSync(join(folder, "src"), {recursive: true});
  writeFileSync(join(folder, "openapi-3.0.json"), JSON.stringify(asOpenApi30(JSON.parse(openApi))));
  cpSync(join(calls, "call_all.rs"), join(folder, "src", "main.rs"));
  cpSync(join(calls, "call_all.toml"), join(folder, "Cargo.toml"));
  return compared(await output("cargo", ["run", "--quiet", "--", address, key], {cwd: folder}));
}

/** Runs the sample of docs/clients.md in a language, which prints a line for each price of Texas. */
async function sample(
  language: string,
  file: string,
  program: string,
  given: string[] = [],
): Promise<string> {
  const page = readFileSync(join(root, "docs", "clients.md"), "utf8");
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/clients.md has no ${language}`);
  mkdirSync(join(work, "samples"), {recursive: true});
  const path = join(work, "samples", file);
  writeFileSync(path, code);
  const url = `${address}/price-by-state?state=TX&commodity=feeder_cattle&evidence=none&limit=500`;
  const {records} = (await (await fetch(url, {headers: {"X-API-Key": key}})).json()) as {
    records: {cell_id: string; price_avg: number; price_unit: string}[];
  };
  const wanted = records.map(({cell_id, price_avg, price_unit}) => `${cell_id} ${price_avg} ${price_unit}`);
  const env = {CATTLE_URL: address, CATTLE_KEY: key};
  const numbers = (text: string) =>
    text
      .trim()
      .replaceAll(/(\.\d*?)0+ /g, "$1 ")
      .replaceAll(". ", " ");
  const printed = numbers(await output(program, [...given, path], {env}));
  if (printed !== wanted.join("\n")) throw new Error(`wanted ${wanted.length} prices, came: ${printed}`);
  return `${wanted.length} prices by pages of 100, as the server says them`;
}

/** A client of the property API after which the lookups are modelled. */
async function compatibleClient(): Promise<string> {
  const script = join(calls, "compatible_client.py");
  return (await output(process.env["PYTHON"] ?? "python3", [script, address, key])).trim();
}

async function spectral(): Promise<string> {
  const given = ["lint", document, "-r", join(here, "spectral.yaml"), "--fail-severity", "hint"];
  await output(process.execPath, [tool("spectral"), ...given]);
  return "nothing found";
}

async function redocly(): Promise<string> {
  const given = ["lint", document, "--format", "json"];
  const {totals} = JSON.parse(await output(process.execPath, [tool("redocly"), ...given])) as {
    totals: {errors: number; warnings: number};
  };
  if (totals.errors + totals.warnings > 0) throw new Error(JSON.stringify(totals));
  return "nothing found";
}

async function schemathesis(): Promise<string> {
  // An endpoint with few parameters has fewer distinct requests than wanted; the others make up for it.
  const each = String(Math.ceil(Number(requests) / (expected.size - 3)));
  const printed = await output(
    join(work, "venv", "bin", "schemathesis"),
    [
      ...[
        "--no-color",
        "--config-file",
        join(here, "schemathesis.toml"),
        "run",
        document,
        "--url",
        address,
        "-H",
        `X-API-Key: ${key}`,
        "-n",
        each,
      ],
      // One worker: with two threads, Python 3.11 may fail to read the tool's own code ("AST constructor recursion depth").
      ...["--workers", "1", "--continue-on-failure", "--generation-database", "none", "--no-shrink"],
      // valid_values_are_accepted of the hooks is the check that is left out, with the rules between parameters.
      ...["--checks", "all", "--exclude-checks", "positive_data_acceptance"],
    ],
    {env: {SCHEMATHESIS_HOOKS: "schemathesis_hooks", PYTHONPATH: calls}},
  );
  const made = /([\d,]+) generated/.exec(printed)?.[1];
  if (made === undefined) throw new Error(`no count of requests in: ${printed.slice(-300)}`);
  if (Number(made.replaceAll(",", "")) < Number(requests)) throw new Error(`${made} requests alone`);
  return `${made} requests, nothing found`;
}

const generator = "openapi-generator";
const readers: Reader[] = [
  {name: generator, version: java.version, what: "Python", needs: ["Maven", "PyPI"], run: pythonGenerator},
  {name: generator, version: java.version, what: "Java", needs: ["Maven"], run: javaGenerator},
  {
    name: generator,
    version: java.version,
    what: "TypeScript (fetch)",
    needs: ["Maven"],
    run: typescriptGenerator,
  },
  {name: "openapi-python-client", version: "0.29.1", what: "Python", needs: ["PyPI"], run: pythonClient},
  {
    name: "openapi-typescript",
    version: npm["openapi-typescript"],
    what: `TypeScript (openapi-fetch ${npm["openapi-fetch"]})`,
    needs: ["npm"],
    run: typescriptTypes,
  },
  {name: "oapi-codegen", version: oapi.version, what: "Go", needs: ["Go"], run: go},
  {name: "progenitor", version: "0.15.1", what: "Rust", needs: ["crates"], run: rust},
  {
    name: "docs/clients.md",
    version: "",
    what: "Python",
    needs: [],
    run: () => sample("python", "ask.py", process.env["PYTHON"] ?? "python3"),
  },
  {
    name: "docs/clients.md",
    version: "",
    what: "JavaScript",
    needs: [],
    run: () => sample("javascript", "ask.mjs", process.execPath),
  },
  {
    name: "docs/clients.md",
    version: "",
    what: "Go",
    needs: [],
    run: () => sample("go", "ask.go", "go", ["run"]),
  },
  {name: "docs/clients.md", version: "", what: "R", needs: ["R"], run: () => sample("r", "ask.R", "Rscript")},
  {
    name: "client of the other API",
    version: "",
    what: "a client of that API",
    needs: [],
    run: compatibleClient,
  },
  {
    name: "mcp (Python SDK)",
    version: "2.3.0",
    what: "all tools of cattle mcp, each answer against its listed schema",
    needs: ["PyPI"],
    // The data folder is in the environment, as for the server.
    run: () =>
      output(python, [join(calls, "mcp_client.py"), process.execPath, join(root, "bin", "cattle.js"), "mcp"]),
  },
  {
    name: "spectral",
    version: npm["@stoplight/spectral-cli"],
    what: "lint, spectral:oas",
    needs: ["npm"],
    run: spectral,
  },
  {name: "redocly", version: npm["@redocly/cli"], what: "lint, recommended", needs: ["npm"], run: redocly},
  {name: "schemathesis", version: "4.32.5", what: "all checks", needs: ["PyPI"], run: schemathesis},
];

/** Installs the tools at their exact versions into the folder; returns the registries that were unavailable. */
async function install(): Promise<Set<Registry>> {
  mkdirSync(typescript, {recursive: true});
  writeFileSync(join(typescript, "package.json"), JSON.stringify({type: "module", private: true}));
  const packages = Object.entries(npm).map(([name, version]) => `${name}@${version}`);
  const fromNpm = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${java.version}`;
  const fromMaven = ["-q", "-B", "dependency:copy", artifact, `-DoutputDirectory=${work}`];
  const missing = new Set<Registry>();
  await output("npm", fromNpm, {cwd: typescript}).catch(() => missing.add("npm"));
  await output("mvn", fromMaven).catch(() => missing.add("Maven"));
  await installPython().catch(() => missing.add("PyPI"));
  await output("go", ["list", "-m", `${oapi.runtime.replace(" ", "@")}`]).catch(() => missing.add("Go"));
  await output("cargo", ["info", "--quiet", "progenitor"]).catch(() => missing.add("crates"));
  await output("Rscript", ["-e", "library(httr2)"]).catch(() => missing.add("R"));
  return missing;
}

async function installPython(): Promise<void> {
  await output(process.env["PYTHON"] ?? "python3", ["-m", "venv", join(work, "venv")]);
  await output(python, ["-m", "pip", "install", "--quiet", "-r", join(here, "requirements.txt")]);
}

const reply = await fetch(`${address}/openapi.json`, {headers: {"X-API-Key": key}});
const openApi = await reply.text();
writeFileSync(document, openApi);
const expected = await plainAnswers(JSON.parse(openApi).paths);
const missing = await install();
for (const {name, version, what, needs, run: read} of readers) {
  const absent = needs.filter((registry) => missing.has(registry));
  const outcome =
    absent.length > 0
      ? `not run: no ${absent.join(", ")} to be had`
      : await read().catch((fault: Error & {stdout?: string; stderr?: string}) => {
          process.exitCode = 1;
          const told = `${fault.stdout ?? ""}${fault.stderr ?? ""}` || fault.message;
          return `FAILED: ${told.slice(-8000)}`;
        });
  process.stdout.write(`${[name, version, what, outcome].join(" | ")}\n`);
}
