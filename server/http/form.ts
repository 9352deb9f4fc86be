import {Problem} from "./problem.ts";
import {hasBody, isRead, type Step} from "./step.ts";

const LONGEST_URL = 4096;

/** Refuses an address of more than 4 KiB with 414, and a read with a body with 400. */
export const requestForm: Step = (request, _response, next) => {
  if (request.url.length > LONGEST_URL) {
    throw new Problem("uri-too-long", `The address is longer than ${LONGEST_URL} characters.`);
  }
  if (isRead(request) && hasBody(request)) {
    throw new Problem("invalid-request", "A read takes no request body.", {headers: {Connection: "close"}});
  }
  next();
};
