import type {ZodOpenApiHeadersObject} from "zod-openapi";
import type {Family} from "./endpoint.ts";

const header = (description: string) => ({description, schema: {type: "string"} as const});

const always: ZodOpenApiHeadersObject = {
  "X-Request-Id": header("Id of the request: the one that came, else a new one"),
};
const limits: ZodOpenApiHeadersObject = {
  RateLimit: header("Requests left and seconds until there are more (Internet-Draft)"),
  "RateLimit-Policy": header("Requests per window of seconds (Internet-Draft)"),
};
const retry: ZodOpenApiHeadersObject = {"Retry-After": header("Seconds to wait before asking again")};

/** Gives the headers of a 200: those of caching are absent where an answer must not be stored. */
export function answerHeaders(family: Family): ZodOpenApiHeadersObject {
  const caching =
    family === "parcel"
      ? "private, no-cache; no-store with the cadastre"
      : "private, max-age=300, must-revalidate";
  return {
    ...always,
    ...limits,
    ETag: header("Strong tag of the answer, for If-None-Match"),
    "Cache-Control": header(caching),
    Vary: header("Accept-Encoding"),
  };
}

/** Gives the headers of a 304. */
export const notModifiedHeaders: ZodOpenApiHeadersObject = {
  ...always,
  ...limits,
  ETag: header("The tag that the caller holds"),
  "Cache-Control": header("As with the 200"),
  Vary: header("Accept-Encoding"),
};

/** Statuses that come before the rate of the caller is looked at. */
const beforeRate = ["403"];

/** Gives the headers of an error by its status. */
export function problemHeaders(status: string): ZodOpenApiHeadersObject {
  return {
    ...always,
    "Cache-Control": header("no-store"),
    ...(beforeRate.includes(status) ? {} : limits),
    ...(status === "405" ? {Allow: header("GET, HEAD")} : {}),
    ...(status === "429" || status === "503" ? retry : {}),
  };
}
