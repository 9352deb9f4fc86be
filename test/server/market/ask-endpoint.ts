import {readSettings} from "../../../lib/read-settings.ts";
import type {Endpoint} from "../../../server/http/endpoint.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOf, type TestBody} from "../server-fixture.ts";

/** The answer of an endpoint over a market that was never on disk. */
export function askEndpoint(
  endpoint: Endpoint,
  market: MarketArtifacts,
  question: Readonly<Record<string, string>>,
): TestBody {
  const query = endpoint.parameters.parse(question);
  const call = {
    query,
    ignored: [],
    oldBuild: false,
    settings: readSettings({}),
    generation: generationOf(market),
  };
  const {body} = endpoint.answer(call as unknown as Parameters<Endpoint["answer"]>[0]) as {body: string};
  return JSON.parse(body) as TestBody;
}
