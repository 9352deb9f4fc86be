import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {untrueClaims} from "./runbook-claims.ts";

/** The pages of `docs/design/reliability.md` section 9. */
const titles = [
  "A build failed a gate",
  "A county shrank or emptied",
  "A source is stale",
  "A state is held back for days",
  "Disk full",
  "Delta degraded or segment poisoned",
  "Bad line in a segment",
  "Unmerged records grow",
  "Checksum mismatch in an artifact",
  "Roll back and forward",
  "The server restarts by SIGBUS or SIGSEGV",
  "Key leaked, rotation",
  "A cadastre blocks us or changed its layer",
  "Overload and noisy keys",
  "Memory or mappings grow",
  "Restore from backup",
  "Upgrade with a new format version",
  "Owner data found in a log",
  "The build lock is stuck",
  "A lease is bad or cannot be written",
  "The server ends by SIGABRT, or is killed for its memory",
  "`current` is absent, or leads nowhere",
  "A publisher refuses our key",
  "A pull takes many nights",
  "A layer lost a column or its id",
];

const folder = join(packageRoot, "docs/runbook");
const files = readdirSync(folder).sort();
const pages = files.filter((name) => name !== "README.md");
const page = (name: string) => readFileSync(join(folder, name), "utf8");

test("the runbook has every page of docs/design/reliability.md section 9, and its index links to each", () => {
  const headings = pages.map((name) => page(name).split("\n")[0]);
  expect(headings).toEqual(titles.map((title, i) => `# ${i + 1}. ${title}`));
  const index = [...page("README.md").matchAll(/^(\d+)\. \[(.+)\]\((.+)\)$/gm)];
  expect(index.map(([, number, title, file]) => [Number(number), title, file])).toEqual(
    titles.map((title, i) => [i + 1, title, pages[i]]),
  );
});

test.each(pages)("runbook page %s has its four parts", (name) => {
  const parts = [...page(name).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part);
  expect(parts).toEqual(["Symptom", "Check", "Action", "Proof"]);
});

test("S12: finds a missing command, option, setting, metric, message, unit, target and path", () => {
  const spans = [
    "cattle mend",
    "cattle gc --all",
    "CATTLE_NOTHING=1",
    "delta_lost_total",
    "the delta is lost",
  ];
  const more = ["systemctl stop cattle-serve@0", "make sure", "data/nothing/here"];
  const block = "```sh\nsudo cattle verify && cattle delta mend\ncurl x | grep delta_lost\n```\n";
  const text = `${[...spans, ...more].map((span) => `\`${span}\``).join(", ")}\n${block}`;
  expect(untrueClaims("docs/runbook/README.md", text)).toHaveLength(spans.length + more.length + 2);
});

test.each([...files.map((name) => `docs/runbook/${name}`), "deploy/README.md", "deploy/Containerfile"])(
  "S12: commands, settings, metrics, messages and paths that %s names exist",
  (document) => {
    expect(untrueClaims(document)).toEqual([]);
  },
);

test.each(["CONTRIBUTING.md", "docs/releasing.md", "docs/stable.md"])(
  "S12: commands, targets, settings and paths that %s names exist",
  (document) => {
    const ours = /^(cattle|make|CATTLE_)|^[\w./-]+\/[\w.-]*$/;
    expect(untrueClaims(document).filter((claim) => ours.test(claim))).toEqual([]);
  },
);
