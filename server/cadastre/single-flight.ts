/** Runs one call for all who ask the same thing at the same time; the call does not die with one of its askers. */
export type SingleFlight<Value> = (key: string, call: () => Promise<Value>) => Promise<Value>;

/** A single flight without memory: an answer is shared with those who came while it was under way, and then forgotten. */
export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Promise<Value>>();
  return (key, call) => {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const flight = call().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
