import {writeFileSync} from "node:fs";
import {basename} from "node:path";
import {expect, test} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import {
  exampleAnswersFile,
  exampleQuestions,
  readExampleAnswers,
} from "../../../server/http/answer-examples.ts";
import {answerDirectly, openPublished} from "../../../server/http/direct-answer.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {sampleBuild} from "../../sample-build.ts";

const asOf = "2026-11-21";
const now = new Date(`${asOf}T06:00:00Z`);

/** Answers the example questions over a build of the sample; the id of the build, which follows the code, has zeros for its hash. */
async function answersOverSample(): Promise<Record<string, unknown>> {
  const {data, dir} = await sampleBuild(asOf);
  const generation = await openPublished(data, openStateArtifacts);
  const answers: Record<string, unknown> = {};
  for (const endpoint of endpoints) {
    const settings = readSettings({});
    const values = exampleQuestions[endpoint.operationId]!;
    const {ok, body} = await answerDirectly(endpoint, values, {generation, settings, now});
    expect(ok, body).toBe(true);
    answers[endpoint.operationId] = JSON.parse(body.replaceAll(basename(dir), "20261121-000000"));
  }
  return answers;
}

test("the examples of the OpenAPI document are what the endpoints answer over the sample", async () => {
  const answers = await answersOverSample();
  if (process.env["UPDATE_DOCS"] === "1") {
    writeFileSync(exampleAnswersFile, `${JSON.stringify(answers, null, 2)}\n`);
  }
  expect(readExampleAnswers()).toEqual(answers);
});
