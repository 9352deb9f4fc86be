import {parseAst} from "vitest/node";

/** One small change of a source text: `length` characters at `start` become `text`. */
export type Mutation = {
  readonly start: number;
  readonly length: number;
  readonly text: string;
  readonly kind: string;
};

type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
};

const opposites: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "===": "!==",
    "!==": "===",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "*",
    "&&": "||",
    "||": "&&",
    "+=": "-=",
    "-=": "+=",
  }),
);

/** Comparisons, each with the one that differs only where both sides are equal. */
const shifted: ReadonlyMap<string, string> = new Map(
  Object.entries({"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
);

/** Kind of a change that moves a bound by one step: of a comparison or of a number. */
export const boundary = "boundary";

const otherMethods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    some: "every",
    every: "some",
    startsWith: "endsWith",
    endsWith: "startsWith",
    min: "max",
    max: "min",
    floor: "ceil",
    ceil: "floor",
    toUpperCase: "toLowerCase",
    toLowerCase: "toUpperCase",
  }),
);
/** Methods that can be dropped from a call chain. */
const droppedMethods = new Set(["filter", "sort", "toSorted", "reverse", "toReversed", "trim"]);

/** SQL words and operators, each with a replacement that keeps the statement valid. */
const sqlWords: readonly (readonly [RegExp, string])[] = [
  [/(?<!BETWEEN [^ ]+ )\bAND\b/g, "OR"],
  [/\bOR\b(?! REPLACE)/g, "AND"],
  [/\bIS NOT NULL\b/g, "IS NULL"],
  [/\bIS NULL\b/g, "IS NOT NULL"],
  [/\bDESC\b/g, "ASC"],
  [/(?<= )<>(?= )/g, "="],
  [/(?<= )=(?= )/g, "<>"],
  [/(?<= )>=?(?= )/g, "<"],
  [/(?<= )<=?(?= )/g, ">"],
];
/** Bounds in SQL: comparisons, and whole numbers that a comparison or an operator stands before. */
const sqlBounds: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/(?<= )[<>]=?(?= )/g, (found) => shifted.get(found)!],
  [/(?<=[<>=+-] )\d{1,3}\b(?!\.)/g, (found) => String(Number(found) + 1)],
];
const sqlText = /\b(?:SELECT|WHERE|CASE WHEN|FROM|JOIN|AND|OR|IS NULL|IS NOT NULL|ORDER BY)\b/;

/**
 * Lists the mutations of a TypeScript source, in order. Types, imports, error messages and texts for people are excluded: no
 * test should pin the wording of a message.
 */
export function mutationsOf(source: string): Mutation[] {
  return [...mutationsIn(parseAst(source, {lang: "ts"}) as unknown as Node, source)].sort(
    (a, b) => a.start - b.start || (a.text < b.text ? -1 : 1),
  );
}

/**
 * The source with a call at each of some places that tells when it runs: `call` gets the place's number in the list. Null stands for a place
 * that runs when its module is loaded. A call comes before the statement that holds its place, or before the value that an arrow
 * function returns.
 */
export function watched(
  source: string,
  places: readonly Pick<Mutation, "start" | "length">[],
  call: (place: number) => string,
): {text: string; atLoad: readonly number[]} {
  const program = parseAst(source, {lang: "ts"}) as unknown as Node;
  const inserted: {at: number; text: string}[] = [];
  const atLoad: number[] = [];
  for (const [i, {start, length}] of places.entries()) {
    const own = runningNode(program, start, start + length);
    if (own === undefined) atLoad.push(i);
    else if (own.isStatement) inserted.push({at: own.node.start, text: `${call(i)}; `});
    else inserted.push({at: own.node.start, text: `(${call(i)}, `}, {at: own.node.end, text: ")"});
  }
  let text = source;
  for (const {at, text: part} of inserted.sort((a, b) => b.at - a.at))
    text = text.slice(0, at) + part + text.slice(at);
  return {text, atLoad};
}

/** The innermost statement, or value of an arrow function, that holds a range; undefined outside of functions. */
function runningNode(
  node: Node,
  start: number,
  end: number,
  isInside = false,
): {node: Node; isStatement: boolean} | undefined {
  const isFunction = /Function/.test(node.type);
  const holds = (child: Node) => child.start <= start && end <= child.end;
  for (const [name, member] of Object.entries(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (!isNode(child) || !holds(child)) continue;
      const within = runningNode(child, start, end, isInside || isFunction);
      if (within !== undefined) return within;
      const isValue =
        name === "body" && node.type === "ArrowFunctionExpression" && child.type !== "BlockStatement";
      if (isValue) return {node: child, isStatement: false};
      const isStatement =
        Array.isArray(member) && (name === "body" || name === "consequent") && node.type !== "ClassBody";
      if (isStatement && isInside) return {node: child, isStatement: true};
    }
  }
  return undefined;
}

function* mutationsIn(node: Node, source: string): Generator<Mutation> {
  const {type} = node;
  if (isLeftOut(node)) return;
  yield* ownMutations(node, source);
  // In a comparator's -1 and 1 only the sign counts, not the number.
  const isSign = type === "ConditionalExpression" && (node["consequent"] as Node).type === "UnaryExpression";
  for (const member of isSign ? [node["test"]] : Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member])
      if (isNode(child)) yield* mutationsIn(child, source);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function isLeftOut({type}: Node): boolean {
  if (type.startsWith("TS"))
    return !["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"].includes(type);
  return ["ImportDeclaration", "ExportAllDeclaration", "ThrowStatement"].includes(type);
}

function* ownMutations(node: Node, source: string): Generator<Mutation> {
  const {type, start, end} = node;
  const textOf = ({start: from, end: to}: Node) => source.slice(from, to);
  const replaced = (part: {start: number; end: number}, text: string, kind: string): Mutation => ({
    start: part.start,
    length: part.end - part.start,
    text,
    kind,
  });
  if (type === "BinaryExpression" || type === "LogicalExpression" || type === "AssignmentExpression") {
    const {operator, left, right} = node as unknown as {operator: string; left: Node; right: Node};
    const from = source.indexOf(operator, left.end);
    const isText = operator.startsWith("+") && [left, right].some((side) => /["'`]/.test(textOf(side)));
    const other = opposites.get(operator);
    if (other !== undefined && !isText)
      yield replaced({start: from, end: from + operator.length}, other, "operator");
    const near = shifted.get(operator);
    if (near !== undefined) yield replaced({start: from, end: from + operator.length}, near, boundary);
    // A dropped null mostly becomes undefined, which nothing distinguishes.
    if (operator === "??" && textOf(right) !== "null") yield replaced(node, textOf(left), "default dropped");
  } else if (type === "IfStatement" || type === "ConditionalExpression") {
    yield replaced(node["test"] as Node, "true", "condition true");
    yield replaced(node["test"] as Node, "false", "condition false");
  } else if (type === "UnaryExpression" && node["operator"] === "!") {
    yield replaced({start, end: start + 1}, "", "negation dropped");
  } else if (type === "CallExpression") {
    yield* callMutations(node, replaced);
  } else if (
    type === "ExpressionStatement" &&
    ["CallExpression", "AwaitExpression"].includes((node["expression"] as Node).type)
  ) {
    yield replaced(node, ";", "call dropped");
  } else if (type === "Literal" && typeof node["value"] === "number") {
    const value = node["value"];
    // Numbers of a thousand and more are time or size limits.
    if (value < 1000) {
      yield replaced(node, String(value + 1), boundary);
      if (value > 10) yield replaced(node, String(Math.floor(value * 0.9)), "number");
    }
  } else if (type === "Literal" && typeof node["value"] === "boolean") {
    yield replaced(node, String(!node["value"]), "boolean");
  } else if ((type === "Literal" && typeof node["value"] === "string") || type === "TemplateElement") {
    if (!sqlText.test(source.slice(start, end))) return;
    for (const [pattern, moved] of sqlBounds) {
      for (const {index, 0: found} of source.slice(start, end).matchAll(pattern))
        yield replaced({start: start + index, end: start + index + found.length}, moved(found), boundary);
    }
    for (const [pattern, word] of sqlWords) {
      for (const {index, 0: found} of source.slice(start, end).matchAll(pattern))
        yield replaced({start: start + index, end: start + index + found.length}, word, "SQL");
    }
  }
}

function* callMutations(
  node: Node,
  replaced: (part: {start: number; end: number}, text: string, kind: string) => Mutation,
): Generator<Mutation> {
  const callee = node["callee"] as Node;
  if (callee.type !== "MemberExpression" || callee["computed"] === true) return;
  const property = callee["property"] as Node & {name: string};
  const [argument] = node["arguments"] as Node[];
  const other = otherMethods.get(property.name);
  if (other !== undefined) yield replaced(property, other, "method");
  if (droppedMethods.has(property.name))
    yield replaced({start: (callee["object"] as Node).end, end: node.end}, "", "method dropped");
  if (property.name === "join" && argument?.type === "Literal")
    yield replaced(argument, argument["value"] === "|" ? '";"' : '"|"', "separator");
}
