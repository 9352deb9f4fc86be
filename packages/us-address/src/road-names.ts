import {bySpelling} from "./address-words.ts";

/** Words behind a road's number that belong to its name, by their spellings. */
export const roadSuffixes = bySpelling({
  ALT: ["ALT", "ALTERNATE"],
  BUS: ["BUS", "BUSINESS", "BSNSS"],
  BYP: ["BYP", "BYPASS"],
  LOOP: ["LOOP"],
  SPUR: ["SPUR"],
  TRUCK: ["TRUCK"],
});

/** Highway classes for which HIGHWAY may be printed (docs/design/parcels.md section 7, name component). */
const highwayClasses =
  "INTERSTATE|US HIGHWAY|STATE HIGHWAY|STATE ROUTE|STATE ROAD|COUNTY HIGHWAY|ROUTE|PTH|FM|RANCH ROAD".split(
    "|",
  );
/** Words that may replace the class of any highway. */
const anyClass: readonly string[] = ["HIGHWAY", "ROUTE"];
/** Classes that are often confused: state roads, and county roads. */
const mixedUp: readonly (readonly string[])[] = [
  ["STATE HIGHWAY", "STATE ROUTE", "STATE ROAD"],
  ["COUNTY ROAD", "COUNTY HIGHWAY", "COUNTY ROUTE"],
];
const suffixWords = [...new Set(roadSuffixes.values())].join("|");
const classed = new RegExp(
  `^(${[...new Set([...anyClass, ...highwayClasses, ...mixedUp.flat()])].join("|")}) (\\S+(?: (?:${suffixWords}))?)$`,
);

/**
 * Other names under which a highway may be printed: HIGHWAY and ROUTE for any class, and any class for these.
 */
export function otherHighways(name: string): string[] {
  const [, own = "", number = ""] = classed.exec(name) ?? [];
  if (own === "") return [];
  // Highway C is a county road: roads with letters are the county's in Wisconsin.
  const highways = /^[A-Z]+$/.test(number) ? [...highwayClasses, "COUNTY ROAD"] : highwayClasses;
  const others = anyClass.includes(own) ? highways : highways.includes(own) ? anyClass : [];
  const alike = mixedUp.find((each) => each.includes(own)) ?? [];
  const names = new Set([...(anyClass.includes(own) ? anyClass : []), ...others, ...alike]);
  names.delete(own);
  return [...names].map((each) => `${each} ${number}`);
}

const otherClass: Readonly<Record<string, string>> = {
  FM: "RANCH ROAD",
  "RANCH ROAD": "FM",
  PR: "PRIVATE ROAD",
  "PRIVATE ROAD": "PR",
};

/** The other class name that a road may have in some states, with its number; null for another road. */
export function otherClassName(name: string): string | null {
  const [, own = "", number = ""] = /^(FM|RANCH ROAD|PR|PRIVATE ROAD) (.+)$/.exec(name) ?? [];
  return own === "" ? null : `${otherClass[own]} ${number}`;
}

/**
 * True for two names of one road of a state: Texas numbers its farm and ranch roads in one series, and PR is a private road
 * except in Manitoba, where it is a provincial one.
 */
export function isSameClass(a: string, b: string, state: string | null): boolean {
  return otherClassName(a) === b && (a.startsWith("P") ? state !== "MB" : state === "TX");
}

/** True for the normalised name of a highway, whatever its class. */
export function isHighway(name: string): boolean {
  const [, own = ""] = classed.exec(name) ?? [];
  return anyClass.includes(own) || highwayClasses.includes(own);
}

/** True for two names of one highway. */
export function isSameHighway(a: string, b: string): boolean {
  return otherHighways(a).includes(b);
}
