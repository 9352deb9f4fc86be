import {z} from "zod";

/** Every kind of error answer: status and title by slug (`docs/design/reliability.md` section 6, `docs/design/parcels.md` section 7). */
export const problemKinds = {
  "invalid-parameter": {status: 400, title: "A parameter is missing or malformed"},
  "invalid-request": {status: 400, title: "The request is malformed"},
  "state-required": {status: 400, title: "A state is required"},
  "ambiguous-parcel": {status: 400, title: "Several parcels fit"},
  "access-denied": {status: 403, title: "Access denied"},
  "not-found": {status: 404, title: "No such path"},
  "parcel-not-found": {status: 404, title: "No such parcel"},
  "parcel-not-covered": {status: 404, title: "No source covers this parcel"},
  "method-not-allowed": {status: 405, title: "Method not allowed"},
  "uri-too-long": {status: 414, title: "The address is too long"},
  "range-not-satisfiable": {status: 416, title: "No such range of bytes"},
  "rate-limited": {status: 429, title: "Too many requests"},
  internal: {status: 500, title: "Internal error"},
  overloaded: {status: 503, title: "Overloaded"},
  "cadastre-unavailable": {status: 503, title: "The county service is unavailable"},
  "build-unavailable": {status: 503, title: "No data build is being served"},
  "deadline-exceeded": {status: 503, title: "The answer took too long"},
} as const;
export type ProblemSlug = keyof typeof problemKinds;

/** One invalid parameter of a request. */
export const InvalidParameter = z
  .strictObject({
    name: z.string().describe("Name of the parameter"),
    value: z
      .string()
      .optional()
      .describe("The value received; never an owner, address, parcel number or coordinate"),
    reason: z.string().describe("What is wrong"),
    allowed: z.array(z.string()).optional().describe("The accepted values, if there are few"),
  })
  .meta({id: "InvalidParameter"});
export type InvalidParameter = z.infer<typeof InvalidParameter>;

/** Body of an error answer, `application/problem+json` (RFC 9457). */
export const ProblemDocument = z.looseObject({
  type: z.string().describe("Kind of problem: relative reference `/problems/<slug>`"),
  title: z.string().describe("Title of the kind of problem"),
  status: z.int().describe("HTTP status"),
  detail: z.string().describe("What is wrong with this request"),
  instance: z.string().describe("Request id, as in the header X-Request-Id; on 403 the name of that header"),
  error: z.string().describe("Same as `detail`, for clients of the compatible property API"),
  invalid_params: z.array(InvalidParameter).optional().describe("On 400: the wrong parameters"),
});

export type ProblemDocument = z.infer<typeof ProblemDocument>;
