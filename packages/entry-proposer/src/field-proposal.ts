/** Columns of a table, and the steps that make a value of their cells. */
export type FieldSpec = {from?: string | string[]; transform?: string[]};

/** A column by name alone, or with its steps. */
export type FieldOrSpec = string | FieldSpec;

/** A column of a table or layer. */
export type SourceColumn = {
  readonly name: string;
  /** The name that a layer shows to people. It decides the role of the column if the field name has none. */
  readonly alias?: string | undefined;
  /** The field type declared by a layer (`esriFieldTypeDate`); absent for a text file. */
  readonly type?: string | undefined;
  /** Cells of some sampled rows, the same rows for all columns; empty where a row has no value. */
  readonly samples?: readonly string[] | undefined;
  /** For a dictionary member: the column that holds the dictionaries, and the path of names to the member. */
  readonly memberOf?: {readonly column: string; readonly path: readonly string[]} | undefined;
};

/** A role with several candidate columns: the chosen one first, each with its count of filled cells. */
export type Choice = {
  readonly role: string;
  readonly candidates: readonly {
    readonly column: string;
    readonly filled: number;
    readonly distinct: number;
  }[];
};

/** A form of dates. */
export type DateForm = "ymd" | "mdy" | "longDate" | "epochMs";

/** How a table's areas are read; lists go in order of preference. */
export type AreaProposal = {
  from: string | string[];
  unit: "acres" | "sqft" | "ha" | "text" | "perRow";
  /** Columns with the unit of each row, for `perRow`. */
  unitFrom?: string | string[];
  basis: AreaBasis | AreaBasis[];
};
export type AreaBasis = "deeded" | "assessed" | "computed";

/** The kind of each value of a row. */
export type ValueKinds = Partial<
  Record<
    "assessed_value" | "land_value" | "building_value" | "market_value" | "taxable_value" | "use_value",
    "assessed" | "market" | "taxable" | "use"
  >
> & {zeroMeans?: "unknown"};

/** The columns of a land use, and the code systems that its codes fit. */
export type UseProposal = {systems: string[]; codeFrom: string | string[]; descriptionFrom?: string};

/** A code system of land use. */
export type UseSystem = {
  readonly id: string;
  /** Columns that are known to print it. */
  readonly columns?: readonly string[] | undefined;
  /** True when it has all codes that a cell holds. */
  knows(cell: string): boolean;
  /** The category of a code in a column of that name; null for none. */
  categoryOf(code: string, column: string): string | null;
};

type DegreeBox = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** What the caller knows of states; without it, degrees may lie anywhere, and no code system is proposed. */
export type StateFacts = {
  /** The box around a state. */
  boxOf?(state: string): DegreeBox | undefined;
  /** The code systems of land use that counties of a state may print. */
  useSystemsOf?(state: string): readonly UseSystem[];
  /** The category that words for a use tell; null for none. */
  useOfWords?(words: string | null): string | null;
};

/** What is known about a table besides its columns. */
export type ProposalContext = {
  /** The parcel number column, if a person or the registry names it. */
  readonly idField?: string | undefined;
  /** Two letters; without a state, values are not checked against their location. */
  readonly state?: string | undefined;
  /** Acres of the sampled rows' outlines. */
  readonly outlineAcres?: readonly (number | null)[] | undefined;
  readonly facts?: StateFacts | undefined;
};

/** How the rows of a table are read, proposed from column names and cells: all of an entry that these reveal. */
export type FieldProposal = {
  /** Null when no column looks like a parcel number. */
  readonly ids: {raw: FieldOrSpec; alt?: string[]; parent?: string} | null;
  /** Columns that tell the rows apart where no column is a parcel number; null where there is one, or none do. */
  readonly key: readonly string[] | null;
  /** The column with the county's key or name, or null. */
  readonly countyFrom: string | null;
  /** By field of a parcel, the columns that fill it. */
  readonly fields: Record<string, FieldSpec>;
  /** Where the date of a row stands, in order of preference. */
  readonly vintage: (
    | {rollYear: string | number}
    | {row: string; format: DateForm}
    | "layer_edit"
    | "retrieved"
  )[];
  readonly owners: {published: boolean; order: "last_first" | "last_comma_first" | "unknown"};
  readonly area?: AreaProposal;
  readonly use?: UseProposal;
  readonly values?: ValueKinds;
  /** Columns that the map does not use, in table order. */
  readonly unused: readonly string[];
  /** Roles with several candidate columns. */
  readonly choices: readonly Choice[];
  /** Notes on questions that a person must decide. */
  readonly notes: readonly string[];
};
