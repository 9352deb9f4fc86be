import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {parseArgs} from "node:util";
import {packageRoot} from "../lib/paths.ts";
import {isRight, type Reading, readOwn} from "./address-comparison.ts";
import {type LabelledAddress, readLabelled} from "./labelled-addresses.ts";

// Measures the share of labelled addresses whose number and street are both read right, and the speed, beside the npm
// package parse-address. Without files, `node bench/address-parser.ts [--show] [file.xml …]` reads the labelled sets of the corpus.

type Parser = {readonly name: string; readonly read: (line: string) => Reading};

const {values, positionals} = parseArgs({
  options: {show: {type: "boolean", default: false}},
  allowPositionals: true,
});
const folder = join(packageRoot, "..", "shared", "corpus", "address");
const sets = ["us50_train_tagged.xml", "usaddress-training-labeled.xml", "multi_word_state_addresses.xml"];
const files = positionals.length > 0 ? positionals : sets.map((name) => join(folder, name));

const own: Parser = {name: "this project", read: readOwn};

type ParsedByOther = Partial<Record<"number" | "prefix" | "street" | "type" | "suffix", string>>;
const other = createRequire(import.meta.url)("parse-address") as {
  parseLocation(line: string): ParsedByOther | null;
};
const beside: Parser = {
  name: "parse-address 1.1.2",
  read: (line) => {
    const {number = "", prefix = "", street = "", type = "", suffix = ""} = other.parseLocation(line) ?? {};
    return {number, street: [prefix, street, type, suffix].filter((part) => part !== "").join(" ")};
  },
};

function measure(parser: Parser, set: readonly LabelledAddress[]): {right: number; wrong: string[]} {
  const wrong: string[] = [];
  for (const label of set) {
    const read = parser.read(label.line);
    if (!isRight(label, read)) {
      wrong.push(
        `${label.line}\n    wanted ${label.number} | ${label.street}\n    read   ${read.number} | ${read.street}`,
      );
    }
  }
  return {right: set.length - wrong.length, wrong};
}

function microseconds(parser: Parser, lines: readonly string[]): number {
  const rounds = Math.ceil(100_000 / lines.length);
  for (const line of lines) parser.read(line);
  const start = process.hrtime.bigint();
  for (let round = 0; round < rounds; round++) for (const line of lines) parser.read(line);
  return Number(process.hrtime.bigint() - start) / 1000 / (rounds * lines.length);
}

console.log("| set | parser | lines | number and street right | us per line |\n|---|---|---|---|---|");
for (const file of files.filter((path) => existsSync(path))) {
  const set = readLabelled(file);
  for (const parser of [own, beside]) {
    const {right, wrong} = measure(parser, set);
    const share = ((100 * right) / set.length).toFixed(1);
    const speed = microseconds(
      parser,
      set.map(({line}) => line),
    ).toFixed(1);
    console.log(
      `| ${file.split("/").at(-1)} | ${parser.name} | ${set.length} | ${right} (${share} %) | ${speed} |`,
    );
    if (values.show && parser === own) console.log(wrong.join("\n"));
  }
}
