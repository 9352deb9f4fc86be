import type {IncomingMessage, ServerResponse} from "node:http";
import helmet from "helmet";

/**
 * The security headers of every answer, names and values in turn. TLS ends in front of this server, so HSTS is left to the
 * proxy; no other origin is let in (no CORS). Helmet sets the same headers on every response, so they are taken from it once.
 */
export function securityHeaders(): readonly string[] {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const setAll = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {"default-src": ["'none'"], "frame-ancestors": ["'none'"]},
    },
    strictTransportSecurity: false,
  });
  setAll({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return [...headers].flat();
}
