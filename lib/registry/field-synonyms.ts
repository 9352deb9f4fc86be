import {join} from "node:path";
import {FieldSynonyms} from "../../schemas/field-synonyms.ts";
import {referenceDir} from "../paths.ts";
import {readRegistryFile} from "./registry-file.ts";

/** The meaning of a table's column: a column of the parcel row, or a part of an entry outside its field map. */
export type FieldRole = string;

/** Gives the columns of a table that fit a role, the surest first. */
type RoleFinder = (role: FieldRole) => string[];

const dbfNameLength = 10;
let loaded: ReadonlyMap<FieldRole, readonly string[]> | undefined;

/** The folded names of each role. Throws a `ConfigError` when the table is not valid. */
export function fieldSynonyms(): ReadonlyMap<FieldRole, readonly string[]> {
  loaded ??= new Map(
    Object.entries(readRegistryFile(FieldSynonyms, join(referenceDir, "field-synonyms.json")).roles).map(
      ([role, names]): [FieldRole, string[]] => [role, [...new Set(names.map(foldedName))]],
    ),
  );
  return loaded;
}

/**
 * Finds columns by role among the names of a table. Case, signs and a prefix up to the last dot (`GIS.PARCELS.APN`) do not
 * matter, and a name may be cut to the 10 characters of a DBF. Throws a `ConfigError` when the table of synonyms is not
 * valid.
 */
export function roleFinder(columns: readonly string[]): RoleFinder {
  const folded = columns.map((column) => {
    const name = foldedName(bareName(column));
    return {column, name, cutRole: column.length === dbfNameLength ? roleOfCut(name) : null};
  });
  return (role) => {
    const found = (fieldSynonyms().get(role) ?? []).flatMap((synonym) => {
      const whole = folded.filter(({name}) => name === synonym);
      return whole.length > 0
        ? whole
        : folded.filter(({name, cutRole}) => cutRole === role && isCutOf(name, synonym));
    });
    return [...new Set(found.map(({column}) => column))];
  };
}

/** The role of a cut name; null for a name of several roles (`PROPERTY_C` may be class or city). */
function roleOfCut(name: string): FieldRole | null {
  const roles = [...fieldSynonyms()].filter(([, synonyms]) =>
    synonyms.some((synonym) => isCutOf(name, synonym)),
  );
  const [only, second] = roles;
  return only === undefined || second !== undefined ? null : only[0];
}

/**
 * True for a name that is the beginning of a synonym. A DBF cuts before signs are dropped, so 8 of its 10 characters must be
 * left.
 */
function isCutOf(name: string, synonym: string): boolean {
  return name.length >= dbfNameLength - 2 && synonym.length > name.length && synonym.startsWith(name);
}

function bareName(column: string): string {
  return /^[\w$]+(?:\.[\w$]+)+$/.test(column) ? column.slice(column.lastIndexOf(".") + 1) : column;
}

function foldedName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
