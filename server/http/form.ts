import {Problem} from "./problem.ts";
import {hasBody, isRead, type Step} from "./step.ts";

const LONGEST_URL = 4096;

/** Refuses an address of more than 4 KiB with 414, and a read with a body, or of HTTP/1.1 without a host, with 400. */
export const requestForm: Step = (request, _response, next) => {
  if (request.url.length > LONGEST_URL) {
    throw new Problem("uri-too-long", `The address is longer than ${LONGEST_URL} characters.`);
  }
  if (request.headers.host === undefined && request.httpVersion === "1.1") {
    throw new Problem("invalid-request", "A request of HTTP/1.1 names its host.", {
      headers: {Connection: "close"},
    });
  }
  if (isRead(request) && hasBody(request)) {
    throw new Problem("invalid-request", "A read takes no request body.", {headers: {Connection: "close"}});
  }
  next();
};
