function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Words that make an owner a company (docs/design/parcels.md section 5.3), in the spelling of the tokens. */
export const companyWords = words(
  `LLC INC CORP CO LP LLP LTD PLC LLLP PARTNERS PARTNERSHIP BANK ASSN ASSOCIATION ASSOC ASSOCIATES HOLDINGS HOLDING FARMS RANCH
  RANCHES PROPERTIES INVESTMENTS INVESTMENT INVESTORS ENTERPRISES REALTY DEVELOPMENT DEVELOPERS DEVELOPMENTS VENTURES CAPITAL
  MORTGAGE BANCORP COMPANIES HOMES BUILDERS CONSTRUCTION RENTALS INDUSTRIES RAILROAD RAILWAY HOA REIT LEASING FUND
  BROS GROUP SERVICES MANAGEMENT ENERGY ELECTRIC TELEPHONE INSURANCE PLLC LC COOPERATIVE COOP DAIRY ORCHARDS VINEYARDS FEEDLOT FEEDERS CATTLE TIMBER TIMBERLANDS CONDOMINIUM CONDOMINIUMS APARTMENTS`,
);

/** Words that make an owner a nonprofit. */
export const nonprofitWords = words(
  `CHURCH CHURCHES FOUNDATION CONSERVANCY UNIVERSITY CEMETERY COLLEGE MINISTRIES MINISTRY DIOCESE ARCHDIOCESE SYNAGOGUE
  MOSQUE CONGREGATION SEMINARY HABITAT CHARITIES CLUB CLUBS HOSPITAL HOSPITALS HOSPICE LODGE LEGION VFW YMCA YWCA SCOUTS
  SOCIETY MUSEUM ACADEMY`,
);

/** Words that name a government before OF, or before an OF at the end of the name. */
export const governmentHeads = words(
  "CITY TOWN VILLAGE TOWNSHIP BOROUGH COUNTY STATE COMMONWEALTH PROVINCE DEPT DEPARTMENT BUREAU MUNICIPALITY",
);

/** Words that name a government at the end of a name: HOLTBY COUNTY, ASHMERE TWP. */
export const governmentEnds = words("COUNTY TOWNSHIP TWP BOROUGH BORO COMMISSION");

/** Words that name a government at any place in a line, whatever stands before them: a development authority is one. */
export const governmentBodies = words("AUTHORITY DISTRICT DIST");

/** Phrases that name a government at any place in a line. */
export const governmentPhrases: readonly (readonly string[])[] = [
  ["UNITED", "STATES"],
  ["U", "S", "A"],
  ["USA"],
  ["USDI"],
  ["USDA"],
  ["BLM"],
  ["USFS"],
  ["ISD"],
  ["BOARD", "OF", "EDUCATION"],
  ["COUNTY", "COMMISSIONERS"],
  ["PUBLIC", "SCHOOLS"],
  ["FOREST", "SERVICE"],
  ["POSTAL", "SERVICE"],
  ["REDEVELOPMENT", "AGENCY"],
];

/** Suffixes of personal names, kept apart from the given names. */
export const nameSuffixes = words("JR SR II III IV");

/** Words that belong to the last name after them: VAN DER HOEVEL. */
export const nameParticles = words(
  "VAN VON DE DEL DELLA DER DEN DI DA DAS DOS DU EL LA LAS LE LOS MC MAC ST O SAINT TER",
);

/** Particles that alone with one word are a last name without a given one: VAN HOEVEL, but not LE ANNA. */
export const leadingParticles = words("VAN VON MC MAC ST SAINT O DE DEL");

/** Pairs of particles that always have a last name after them. */
export const particlePairs = new Set("VAN DER|VAN DEN|VAN DE|VON DER|DE LA|DE LAS|DE LOS".split("|"));

/** Words that are too common to be searched alone: a query with no other word is refused. */
export const stopWords = words(
  "LLC TRUST THE OF INC CORP CO LP LLP LTD AND FOR A AN TO IN ET AL PLC FAMILY EST ESTATE",
);

/** The index spelling of company words that have several. */
export const spellings: ReadonlyMap<string, string> = new Map([
  ["INCORPORATED", "INC"],
  ["CORPORATION", "CORP"],
  ["COMPANY", "CO"],
  ["LIMITED", "LTD"],
  ["ASSOCIATION", "ASSN"],
  ["TRST", "TRUST"],
]);

/** A phrase that is read before the words of the line, with the tokens that replace it and the mark that it adds. */
export type OwnerPhrase = {
  readonly words: readonly string[];
  readonly tokens: readonly string[];
  readonly mark: string | null;
};

function phrases(mark: string | null, tokens: string, list: string): OwnerPhrase[] {
  const left = tokens === "" ? [] : tokens.split(" ");
  return list.split("|").map((phrase) => ({words: phrase.split(" "), tokens: left, mark}));
}

/** Multi-word and hyphenated marks, longest first. */
export const ownerPhrases: readonly OwnerPhrase[] = [
  ...phrases("et al", "", "ET AL|ETAL|ET ALS|ETALS"),
  ...phrases("et ux", "", "ET UX|ETUX"),
  ...phrases("et vir", "", "ET VIR|ETVIR"),
  ...phrases(
    "joint tenancy",
    "",
    "JT|JT TEN|JTROS|JTWROS|JT TENANTS|JOINT TENANTS|JOINT TENANCY|TEN COM|TEN BY ENT",
  ),
  ...phrases("husband and wife", "", "H & W|H / W|HUSBAND AND WIFE|HUSBAND & WIFE|W & H|WIFE & HUSBAND"),
  ...phrases("life estate", "", "LIFE EST|LIFE ESTATE|L / E|LIFE EST OF|LIFE ESTATE OF"),
  ...phrases(
    "trustee",
    "TRUST",
    "TRUSTEE|TRUSTEES|TTEE|TTEES|TRS|CO-TTEES|CO-TTEE|CO TTEES|CO TTEE|CO-TRUSTEES|CO-TRUSTEE",
  ),
  ...phrases(
    "trustee",
    "TRUST",
    "CO TRUSTEES|CO TRUSTEE|CO-TRS|TR|REV TR|REV TRST|SUCCESSOR TRUSTEE|AS TRUSTEE",
  ),
  ...phrases(null, "LLC", "L L C"),
  ...phrases(null, "LLP", "L L P"),
  ...phrases(null, "LP", "L P"),
].sort((a, b) => b.words.length - a.words.length);
