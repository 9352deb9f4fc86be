import {join} from "node:path";
import {FieldSynonyms} from "../../schemas/field-synonyms.ts";
import {referenceDir} from "../paths.ts";
import {readRegistryFile} from "./registry-file.ts";

/** What a column of a table may hold: a column of the parcel row, or what an entry says beside its field map. */
export type FieldRole = string;

/** The columns of a table that stand for a role, the surest first. */
type RoleFinder = (role: FieldRole) => string[];

const dbfNameLength = 10;
let loaded: ReadonlyMap<FieldRole, readonly string[]> | undefined;

/** The roles and their folded names. Throws a `ConfigError` for a table that is not valid. */
export function fieldSynonyms(): ReadonlyMap<FieldRole, readonly string[]> {
  loaded ??= new Map(
    Object.entries(readRegistryFile(FieldSynonyms, join(referenceDir, "field-synonyms.json")).roles).map(
      ([role, names]): [FieldRole, string[]] => [role, [...new Set(names.map(foldedName))]],
    ),
  );
  return loaded;
}

/**
 * Finds columns by role among the names of a table: a name counts without case, signs and the owner or table before the last
 * dot (`GIS.PARCELS.APN`), whole or cut to the 10 characters of a DBF. A row number of the file is no column.
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

/** The role of a cut name; null for one that may be two things (`PROPERTY_C`: class or city). */
function roleOfCut(name: string): FieldRole | null {
  const roles = [...fieldSynonyms()].filter(([, synonyms]) =>
    synonyms.some((synonym) => isCutOf(name, synonym)),
  );
  const [only, second] = roles;
  return only === undefined || second !== undefined ? null : only[0];
}

/** A cut counts characters with their signs: what is left of a folded name is at least 8 of 10. */
function isCutOf(name: string, synonym: string): boolean {
  return name.length >= dbfNameLength - 2 && synonym.length > name.length && synonym.startsWith(name);
}

function bareName(column: string): string {
  return /^[\w$]+(?:\.[\w$]+)+$/.test(column) ? column.slice(column.lastIndexOf(".") + 1) : column;
}

function foldedName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
