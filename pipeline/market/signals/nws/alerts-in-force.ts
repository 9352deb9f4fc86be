import type {GatheredRow} from "../gather.ts";

/**
 * Marks every alert that is in force on the as-of date: no later message replaces or cancels it, no later fetch of the
 * same list leaves it out, it is no cancellation itself, and it does not end before that day. Chains of updates need no
 * order: each names all before it. `current` has the paths of the newest fetches.
 */
export function markInForce(
  alerts: readonly GatheredRow[],
  asOf: string,
  current: ReadonlySet<string>,
): GatheredRow[] {
  const laterOf = new Map<string, GatheredRow>();
  for (const alert of alerts) {
    for (const earlier of alert["refers_to"] as string[]) {
      const known = laterOf.get(earlier);
      if (known === undefined || rank(alert) > rank(known)) laterOf.set(earlier, alert);
    }
  }
  return alerts.map((alert) => {
    const later = laterOf.get(alert.key);
    const replaced = later !== undefined && later.key !== alert.key;
    const ended = String(alert["valid_to"]) < `${asOf}T00:00:00Z`;
    return {
      ...alert,
      superseded_by: replaced ? later.key : null,
      in_force:
        !replaced &&
        !ended &&
        alert["message_type"] !== "cancel" &&
        current.has(String(alert["source_path"])),
    };
  });
}

function rank(alert: GatheredRow): string {
  return `${alert["sent"]} ${alert.key}`;
}
