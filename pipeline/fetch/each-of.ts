import {messageOf} from "../../lib/errors.ts";
import {AskFault} from "./client/ask-fault.ts";
import {type Gain, type Job, sumOf} from "./job.ts";

/**
 * Does the work of a source item by item and sums up what it gained. An item that is refused is counted, named in `partial`,
 * and the others go on; one that is alone, and the first in a probe, is the source itself, and its refusal rejects. A server that cannot
 * be reached, a key that is refused and a run that is over end the source: rejects.
 */
export async function eachOf<T>(
  job: Job,
  allItems: readonly T[],
  work: (item: T) => Promise<Gain>,
): Promise<Gain> {
  const items = job.isProbe === true ? allItems.slice(0, 1) : allItems;
  const gains: Gain[] = [];
  const refused: string[] = [];
  for (const [i, item] of items.entries()) {
    job.say(`${i} of ${items.length}`);
    try {
      gains.push(await work(item));
    } catch (fault) {
      if (items.length === 1 || !isOfItem(fault)) throw fault;
      refused.push(messageOf(fault));
    }
  }
  const sum = sumOf(gains);
  if (refused.length === 0) return sum;
  return {
    ...sum,
    partial: sum.partial ?? `${refused.length} of ${items.length} were refused, the first: ${refused[0]}`,
  };
}

function isOfItem(fault: unknown): boolean {
  return fault instanceof AskFault && fault.isRefusal && fault.status !== 401 && fault.status !== 403;
}
