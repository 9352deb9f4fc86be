// Completes package-lock.json after an `npm install` against a registry mirror that has the packages of one platform only:
// npm leaves the other platforms' packages out, and `npm ci` then refuses the lockfile everywhere. They are added with the exact
// version that their parent asks for, and without an integrity, which only their own bytes could give.
import {readFileSync, writeFileSync} from "node:fs";

type Locked = {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8")) as {packages: Record<string, Locked>};
const systems = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "win32",
];
const processors = [
  "arm64",
  "arm",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "x64",
  "wasm32",
];

function platformOf(name: string): Pick<Locked, "os" | "cpu" | "libc"> {
  const words = name.split(/[-/]/);
  const os = name === "fsevents" ? "darwin" : systems.find((word) => words.includes(word));
  const cpu = processors.find((word) => words.includes(word));
  const libc = ["musl", "gnu"].find((word) => words.includes(word));
  return {
    ...(os === undefined ? {} : {os: [os]}),
    ...(cpu === undefined ? {} : {cpu: [cpu]}),
    ...(libc === undefined || os !== "linux" ? {} : {libc: [libc === "gnu" ? "glibc" : libc]}),
  };
}

const added: string[] = [];
for (const [place, {optionalDependencies = {}, dev, license}] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const platform = platformOf(name);
    const isThere =
      `node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages;
    if (isThere || platform.os === undefined) continue;
    const exact = version.replace(/^[~^]/, "");
    lock.packages[`node_modules/${name}`] = {
      version: exact,
      ...(dev ? {dev} : {}),
      ...(license === undefined ? {} : {license}),
      optional: true,
      ...platform,
    };
    added.push(`${name} ${exact}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} platform packages added to the lockfile\n`);
