import type {TestServer} from "../../../server/server-fixture.ts";
import type {Named, Served} from "./figures.ts";

/** A seeded random generator: integers below a bound. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** Asks the questions and gives every record once for each question, with its evidence. */
export async function servedBy(server: TestServer, questions: readonly string[]): Promise<Served[]> {
  const served: Served[] = [];
  for (const question of questions) {
    const reply = await server.get(question);
    if (reply.status !== 200) throw new Error(`${question}: ${reply.status} ${reply.text.slice(0, 200)}`);
    const answer = reply.json();
    const evidence = new Map((answer["evidence"] as Named[]).map((item) => [item["evidence_id"], item]));
    const groups = Map.groupBy(answer.records, (record) => record["evidence_id"]);
    const [path, query] = question.split("?");
    // Lines of mandatory reports are no figures of ours: `mandatory-prices.test.ts` has them.
    for (const record of answer.records.filter(({report_scope: scope}) => scope !== "mandatory")) {
      const own = evidence.get(record["evidence_id"]) as Served["evidence"];
      const group = groups.get(record["evidence_id"])!;
      served.push({path: path!, asked: new URLSearchParams(query), record, group, evidence: own});
    }
  }
  return served;
}

/** A random sample of records, spread as evenly over the endpoints as the records allow. */
export function chosen(served: readonly Served[], count: number, seed: number): Served[] {
  const random = randomFrom(seed);
  const byPath = [...Map.groupBy(served, ({path}) => path).values()].map((all) => [...all]);
  const picked: Served[] = [];
  while (picked.length < count && byPath.some((left) => left.length > 0)) {
    for (const left of byPath) {
      if (left.length > 0 && picked.length < count) picked.push(...left.splice(random(left.length), 1));
    }
  }
  return picked;
}

/** A record's member, or one of its evidence's confidence. */
export function memberOf({record, evidence}: Served, name: string): unknown {
  return name === "confidence.score" ? (evidence["confidence"] as Named)["score"] : record[name];
}
