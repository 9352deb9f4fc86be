type Node = Record<string, unknown>;

/**
 * Converts an OpenAPI 3.1 document to 3.0 for generators that read only that: null becomes a flag, and so does an exclusive
 * bound.
 */
export function asOpenApi30(document: Node): Node {
  return {...(older(document) as Node), openapi: "3.0.3"};
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== "object" || value === null) return value;
  // Examples contain answers rather than schemas.
  const members = Object.entries(value).filter(([name]) => !["example", "examples"].includes(name));
  return olderSchema(Object.fromEntries(members.map(([name, member]) => [name, older(member)])));
}

function olderSchema({propertyNames, identifier, const: constant, ...node}: Node): Node {
  const values = constant === undefined ? node["enum"] : [constant];
  if (Array.isArray(values)) node["enum"] = values.filter((each) => each !== null);
  if (Array.isArray(node["type"])) Object.assign(node, {type: node["type"][0], nullable: true});
  const [component, nothing] = (node["anyOf"] ?? []) as Node[];
  if (component !== undefined && nothing?.["type"] === "null") {
    delete node["anyOf"];
    Object.assign(node, {allOf: [component], nullable: true});
  }
  for (const bound of ["Minimum", "Maximum"])
    if (typeof node[`exclusive${bound}`] === "number")
      Object.assign(node, {[bound.toLowerCase()]: node[`exclusive${bound}`], [`exclusive${bound}`]: true});
  return node;
}
