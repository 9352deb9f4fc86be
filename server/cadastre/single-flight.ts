/** Runs one call for all callers that give the same key at the same time; the call goes on when one of them is gone. */
type SingleFlight<Value> = (key: string, call: () => Promise<Value>) => Promise<Value>;

/** Makes a single flight that shares a result with the callers that came during the call, and then forgets it. */
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
