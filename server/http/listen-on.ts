import type {Server} from "node:http";
import {ConfigError} from "../../lib/errors.ts";

/**
 * Connections that the kernel keeps until they are accepted, at most its `somaxconn`. It drops what comes beyond them, and a caller whose
 * first packet is dropped tries again only after 1, 3, 7 and 15 s: with Node's 511 a burst of one key's connections would hold up others.
 */
const mostWaiting = 4_096;

/** Listens on an address and gives the port. Rejects with a `ConfigError` that begins with the setting of the port. */
export function listenOn(
  server: Server,
  place: {port: number; host: string; reusePort?: boolean},
  setting: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new ConfigError(portFault(error, place, setting)));
    server.once("error", refuse);
    server.listen({...place, backlog: mostWaiting}, () => {
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
      return `${place} is in use: end what listens there, or choose another port.`;
    case "EACCES":
      return `${place} is not allowed to this user: choose a port of 1024 or above.`;
    default:
      return `${place} cannot be listened on (${error.code ?? error.message}); see CATTLE_HOST too.`;
  }
}
