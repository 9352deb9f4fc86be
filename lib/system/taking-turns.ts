/** A function that does each piece of work once all earlier ones have ended, whatever became of them, and returns what it returns. */
export function takingTurns(): <Made>(work: () => Promise<Made>) => Promise<Made> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
