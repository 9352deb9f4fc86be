import {z} from "zod";
import type {Endpoint} from "../http/endpoint.ts";
import {schemasOf} from "../text/describe-answer.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the schema of a tool's structured content: the answer's facts and the records. Unknown members of a record are allowed. */
export function outputSchema(endpoint: Endpoint): z.ZodObject {
  const {facts, row} = schemasOf(endpoint);
  const rows = z.array(z.looseObject(row).partial());
  return listedAsTypes(
    z.looseObject({...facts, rows, total: z.int(), limitations: z.array(z.string())}),
    row,
  );
}

/**
 * Returns a schema that validates as before, but is listed as the types of its members and of the members of its rows: every session of an
 * agent reads the list of all tools. Rows leave out members without a value, so that none of theirs is listed as null.
 */
export function listedAsTypes<Schema extends z.ZodObject>(schema: Schema, row: z.ZodRawShape = {}): Schema {
  const properties = typesOf(schema.shape);
  if (Object.keys(row).length > 0) {
    const ofRows = typesOf(row, {nullable: false});
    properties["rows"] = {type: "array", items: {type: "object", properties: ofRows}};
  }
  const required = Object.keys(properties).filter(
    (name) => !schema.shape[name]!.safeParse(undefined).success,
  );
  return listedAs(schema, {type: "object", properties, required});
}

/** Returns a schema that validates as before and is listed as the given JSON Schema. */
export function listedAs<Schema extends z.ZodType>(schema: Schema, listed: JsonSchema): Schema {
  const jsonSchema = {input: () => listed, output: () => listed};
  return {"~standard": {...schema["~standard"], jsonSchema}} as unknown as Schema;
}

/** The JSON type of each member, and of the items of an array. */
function typesOf(members: z.ZodRawShape, {nullable = true} = {}): Record<string, JsonSchema> {
  const typeOf = ({type, anyOf = [], items}: JsonSchema): JsonSchema => {
    const types = [type, ...(anyOf as JsonSchema[]).map((each) => each["type"])].flat();
    const known = types.filter((each) => each !== undefined && (nullable || each !== "null"));
    const ofItems = items === undefined ? {} : typeOf(items as JsonSchema);
    return {
      ...(known.length === 0 ? {} : {type: known.length === 1 ? known[0] : known}),
      ...(ofItems["type"] === undefined ? {} : {items: ofItems}),
    };
  };
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, typeOf(z.toJSONSchema(member as z.ZodType))]),
  );
}
