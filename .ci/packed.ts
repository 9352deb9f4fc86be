// Packs a copy of the working tree, installs the packed file into an empty folder, and lets the command there write the sample, build,
// verify and serve it: what is published runs the JavaScript of `dist/`, which nothing else here does.
import {execFileSync, spawn} from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";

const limitMs = 120_000;
const root = join(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "cattle-packed-"));
const installed = join(work, "installed");
const cattle = join(installed, "node_modules", ".bin", "cattle");
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CATTLE_"))),
  CATTLE_DATA: "data",
  CATTLE_PORT: "0",
  CATTLE_METRICS_PORT: "0",
  CATTLE_DRAIN_MS: "0",
};

/** The files that git would commit: `dist/` is made in the copy, where no other process can meet it half done. */
function copyTree(to: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(to, file)), {recursive: true});
    cpSync(join(root, file), join(to, file));
  }
  // The copy has its own links to `packages/`, so that it is compiled as a whole.
  for (const name of readdirSync(join(root, "node_modules"))) {
    const own = name === "@open-cattle";
    mkdirSync(join(to, "node_modules"), {recursive: true});
    if (own)
      cpSync(join(root, "node_modules", name), join(to, "node_modules", name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(root, "node_modules", name), join(to, "node_modules", name));
  }
}

/** Packs the copy and gives the path of the packed file; the copy is gone afterwards, so that nothing can lean on it. */
function pack(): string {
  const copy = join(work, "tree");
  copyTree(copy);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", work], {
    cwd: copy,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const left = existsSync(join(copy, "dist"));
  rmSync(copy, {recursive: true});
  if (left) throw new Error("npm pack leaves dist/ behind: a checkout would go on with old JavaScript");
  return join(work, readdirSync(work).find((name) => name.endsWith(".tgz"))!);
}

function run(...args: string[]): string {
  return execFileSync(cattle, args, {cwd: installed, env: environment, encoding: "utf8"});
}

function requireText(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${pattern} is not in:\n${text}`);
}

/** Serves until it is ready, which takes the worker that checks the build, and stops. */
async function serve(): Promise<void> {
  const server = spawn(cattle, ["serve"], {
    cwd: installed,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let log = "";
  server.stdout.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
  try {
    const port = () => /"port":(\d+)[^\n]*"listening"/.exec(log)?.[1];
    const until = Date.now() + limitMs;
    while (port() === undefined && server.exitCode === null && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const reply = await fetch(`http://127.0.0.1:${port()}/readyz`);
    requireText(`${reply.status} ${await reply.text()}`, /^200 .*"status":"ready"/);
  } finally {
    server.kill("SIGTERM");
  }
  const code = await ended;
  if (code !== 0) throw new Error(`serve ended with code ${code}:\n${log}`);
}

try {
  const packed = pack();
  mkdirSync(installed);
  execFileSync(
    "npm",
    ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", packed],
    {cwd: installed, stdio: "inherit"},
  );
  const bill = readFileSync(join(installed, "node_modules/cattle-market-intelligence/sbom.cdx.json"), "utf8");
  const {dependencies} = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: object;
  };
  for (const [name, version] of Object.entries(dependencies)) {
    if (!bill.includes(`/${name.replace("@", "%40")}@${version}"`))
      throw new Error(`sbom.cdx.json lacks ${name} ${version}`);
  }
  requireText(run("--help"), /Usage: cattle/);
  requireText(run("sample", "--to", "sample"), /files of generated sample data/);
  requireText(run("build", "--raw", "sample"), /^published /m);
  requireText(run("verify"), /files as the manifest says/);
  requireText(run("keys", "create", "--label", "packed"), /^cattle_/);
  requireText(run("market", "price-by-state", "--json"), /"result_status": ?"ok"/);
  await serve();
  process.stdout.write(
    "packed: the packed file installs, builds, verifies and serves, and states its packages\n",
  );
} finally {
  rmSync(work, {recursive: true, force: true});
}
