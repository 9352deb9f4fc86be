import {loadMarketSources} from "../../../pipeline/market/reference/market-sources.ts";
import {listening} from "../live-cattle.ts";
import type {PlayedOperator} from "./played-operator.ts";

/** Questions that an operator tries after the first night. */
const questions = [
  ...["/price-by-state?state=TX", "/price-by-county?state=AZ", "/latest-prices?lat=32.2&lon=-98.3"],
  ...["/cattle-sale-barn-directory?state=TX", "/barns?state=AZ", "/dealers/stats"],
];

/** A table of the contract's sources: which have a row in records or context of an answer, beside the lists that name all. */
export async function answeredSources(operator: PlayedOperator): Promise<string> {
  const key = (await operator.finished(["keys", "create", "--label", "nights"])).trim();
  const child = operator.start(["serve"], {
    ...{CATTLE_PORT: "0", CATTLE_METRICS_PORT: "0", CATTLE_CADASTRE: "0", CATTLE_LOG_LEVEL: "info"},
    // It runs by the clock of the machine, and asks nobody.
    ...{NODE_OPTIONS: "", CATTLE_PROXY: ""},
  });
  try {
    const origin = await listening(child);
    const answers = await Promise.all(
      questions.map(async (path) => {
        const reply = await fetch(origin + path, {headers: {"x-api-key": key}});
        const {records, context, evidence} = (await reply.json()) as Record<string, unknown>;
        return {path, text: JSON.stringify({records, context, evidence})};
      }),
    );
    const lines = loadMarketSources().map(({id}) => {
      const first = answers.find(({text}) => text.includes(`"${id}"`))?.path;
      return `| ${id} | ${first === undefined ? "no" : "yes"} | ${first ?? ""} |`;
    });
    return `\n| source | has a row in an answer | for example |\n|---|---|---|\n${lines.join("\n")}\n`;
  } finally {
    child.kill("SIGKILL");
  }
}
