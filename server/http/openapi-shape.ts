import type {CreateDocumentOptions} from "zod-openapi";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...given: never[]) => unknown>;

/**
 * Says a JSON Schema in words that every generator of clients takes: a date is a format without a pattern beside it, a constant
 * boolean is a boolean, and a tuple is an array of its length. What a schema of ours checks stays the same.
 */
export const forGenerators: Override = ({jsonSchema: schema}) => {
  if (schema.format === "date" || schema.format === "date-time") delete schema.pattern;
  if (typeof schema.const === "boolean") delete schema.const;
  if (!Array.isArray(schema.prefixItems)) return;
  const [first] = schema.prefixItems;
  schema.minItems = schema.prefixItems.length;
  schema.maxItems = schema.prefixItems.length;
  if (first !== undefined) schema.items = first;
  delete schema.prefixItems;
};
