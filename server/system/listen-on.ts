import type {Server} from "node:http";
import {ConfigError} from "../../lib/errors.ts";

/**
 * Listen backlog, capped by the kernel's `somaxconn`. Beyond it SYN packets are dropped, and the client retries only after 1, 3, 7 and 15
 * s. With Node's default of 511, a burst of connections from one key would delay others.
 */
const maxBacklog = 4_096;

/** Listens on an address and returns the port. Rejects with a `ConfigError` that starts with the setting's name. */
export function listenOn(
  server: Server,
  place: {port: number; host: string; reusePort?: boolean},
  setting: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new ConfigError(portFault(error, place, setting)));
    server.once("error", refuse);
    server.listen({...place, backlog: maxBacklog}, () => {
      server.off("error", refuse);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : place.port);
    });
  });
}

function portFault(
  error: NodeJS.ErrnoException,
  {port, host}: {port: number; host: string},
  setting: string,
): string {
  const place = `${setting}: ${host}:${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return `${place} is in use: stop the program that listens there, or choose another port.`;
    case "EACCES":
      return `${place} is not allowed to this user: choose a port of 1024 or above.`;
    default:
      return `${place} cannot be listened on (${error.code ?? error.message}); see CATTLE_HOST too.`;
  }
}
