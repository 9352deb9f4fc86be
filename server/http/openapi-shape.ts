import type {CreateDocumentOptions} from "zod-openapi";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...given: never[]) => unknown>;
type JsonSchema = Parameters<Override>[0]["jsonSchema"];

/**
 * Says a JSON Schema in words that every generator of clients takes: a date is a format without a pattern beside it, a constant
 * boolean is a boolean, a tuple is an array of its length, a number has the width of JSON's, a value or null is one type and no union, and a
 * value of several types is any value. What a schema of ours checks stays the same.
 */
export const forGenerators: Override = ({jsonSchema: schema}) => {
  joinTypes(schema);
  if ([schema.type].flat().includes("number")) schema.format = "double";
  if (schema.format === "date" || schema.format === "date-time") delete schema.pattern;
  if (typeof schema.const === "boolean") delete schema.const;
  if (!Array.isArray(schema.prefixItems)) return;
  const [first] = schema.prefixItems;
  schema.minItems = schema.prefixItems.length;
  schema.maxItems = schema.prefixItems.length;
  if (first !== undefined) schema.items = first;
  delete schema.prefixItems;
};

/** Puts the null of a choice among its types, and drops a choice of several; one with a component, which has no type, stays. */
function joinTypes(schema: JsonSchema): void {
  const choices = schema.anyOf as JsonSchema[] | undefined;
  if (choices === undefined || choices.some(({type}) => type === undefined)) return;
  const [value, ...others] = choices.filter(({type}) => type !== "null");
  delete schema.anyOf;
  if (value === undefined || others.length > 0) return;
  const {const: constant, ...rest} = value;
  const values = value.enum ?? (constant === undefined ? undefined : [constant]);
  Object.assign(schema, {...rest, ...schema, type: [value.type, "null"]});
  if (values !== undefined) schema.enum = [...values, null];
}
