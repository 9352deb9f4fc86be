/** Runs one call for all callers that give the same key at the same time; the call goes on when one of them is gone. */
type SingleFlight<Value> = (
  key: string,
  /** `gone` is aborted when every caller has gone: the call need not begin anything more. */
  call: (gone: AbortSignal) => Promise<Value>,
  /** Aborted when this caller goes. */
  caller?: AbortSignal,
) => Promise<Value>;

type Flight<Value> = {readonly result: Promise<Value>; readonly gone: AbortController; callers: number};

/** Makes a single flight that shares a result with the callers that came during the call, and then forgets it. */
export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>();

  function start(key: string, call: (gone: AbortSignal) => Promise<Value>): Flight<Value> {
    const gone = new AbortController();
    const result = call(gone.signal).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
    });
    const flight: Flight<Value> = {result, gone, callers: 0};
    flights.set(key, flight);
    return flight;
  }

  return async (key, call, caller) => {
    const known = flights.get(key);
    const flight = known === undefined || known.gone.signal.aborted ? start(key, call) : known;
    flight.callers += 1;
    const leave = () => {
      flight.callers -= 1;
      if (flight.callers === 0) flight.gone.abort();
    };
    if (caller?.aborted === true) leave();
    else caller?.addEventListener("abort", leave, {once: true});
    try {
      return await flight.result;
    } finally {
      caller?.removeEventListener("abort", leave);
    }
  };
}
