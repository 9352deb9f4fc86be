function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

function phraseList(text: string): readonly (readonly string[])[] {
  return text.split("|").map((phrase) => phrase.trim().split(" "));
}

/** Words of lines that are printed in place of an owner (docs/design/parcels.md section 5.3). */
export const withheldWords = words("CONFIDENTIAL WITHHELD REDACTED SUPPRESSED UNAVAILABLE UNKNOWN");

/** Words that make an owner a company (docs/design/parcels.md section 5.3), as spelled in tokens. */
export const companyWords = words(
  `LLC INC CORP CO LP LLP LTD PLC LLLP PARTNERS PARTNERSHIP BANK ASSN ASSOCIATION ASSOC ASSOCIATES HOLDINGS HOLDING FARMS RANCH
  RANCHES PROPERTIES INVESTMENTS INVESTMENT INVESTORS ENTERPRISES REALTY DEVELOPMENT DEVELOPERS DEVELOPMENTS VENTURES CAPITAL
  MORTGAGE SAVINGS BANCORP COMPANIES HOMES BUILDERS CONSTRUCTION RENTALS INDUSTRIES RAILROAD RAILWAY HOA REIT LEASING FUND
  BROS GROUP SERVICES MANAGEMENT ENERGY ELECTRIC TELEPHONE INSURANCE PLLC LC COOPERATIVE COOP DAIRY ORCHARDS VINEYARDS FEEDLOT FEEDERS CATTLE TIMBER TIMBERLANDS CONDOMINIUM CONDOMINIUMS APARTMENTS`,
);

/**
 * Company words that carry less weight than the words beside them, as in a cemetery association, a secretary
 * of development, a realty or ranch trust.
 */
export const weakCompanyWords = words(
  "ASSN ASSOCIATION ASSOC DEVELOPMENT REALTY INVESTMENT INVESTMENTS INDUSTRIES GROUP SERVICES MANAGEMENT FUND RANCH RANCHES FARMS",
);

/** Words that make an owner a company, except as the first word of a line, where they may be a last name. */
export const laterCompanyWords = words(
  `FARM GRAIN FEED FEEDS OIL GAS SALES AUTO LIVESTOCK STORES TRUCKING MOTORS TRANSPORT LOGISTICS SUPPLY EQUIPMENT RESTAURANT HOTEL MOTEL
  CLINIC PHARMACY STORAGE PLAZA MALL NURSERY GREENHOUSES WINERY MINERALS ROYALTY ROYALTIES PETROLEUM DRILLING COLONY VENTURE
  BROTHERS AGENCY PC SOLAR HOMEOWNERS OWNERS CONDO CONDOS DITCH IRRIGATION TRADING PRODUCTS SYSTEMS TECHNOLOGIES SOLUTIONS INTERNATIONAL
  RESOURCES EXPLORATION MATERIALS AGGREGATES MINING ELEVATOR PACKING FOODS MARKET GARAGE DENTAL MEDICAL ROOFING PLUMBING PAVING
  EXCAVATING RESORT RESORTS ACQUISITION ACQUISITIONS BORROWER SONS`,
);

/** Phrases that make an owner a company. */
export const companyPhrases = phraseList(
  "HOME PARK|TRAILER PARK|RV PARK|FUNERAL HOME|WATER USERS|LAND & CATTLE|& SON|& SONS|& LIVESTOCK|POWER & LIGHT|LIGHT & POWER|GAS & ELECTRIC|BANK & TRUST|DRS",
);

/** Words that make an owner a nonprofit. */
export const nonprofitWords = words(
  `CHURCHES FOUNDATION CONSERVANCY UNIVERSITY CEMETERY MINISTRIES MINISTRY DIOCESE ARCHDIOCESE ARCHBISHOP SYNAGOGUE
  MOSQUE MASJID CONGREGATION SEMINARY HABITAT CHARITIES CLUB CLUBS HOSPITAL HOSPITALS HOSPICE LEGION VFW YMCA YWCA SCOUTS
  SOCIETY AMVETS MUSEUM ACADEMY FELLOWSHIP TABERNACLE CATHEDRAL MONASTERY CONVENT IGLESIA METHODIST LUTHERAN EPISCOPAL
  PRESBYTERIAN PENTECOSTAL CATHOLIC MENNONITE ADVENTIST ADVENTISTS EVANGELICAL NAZARENE UNITARIAN APOSTOLIC ISLAMIC HINDU BUDDHIST
  CHABAD GOSPEL BIBLE MISSIONARY JEHOVAHS LDS MASONIC ROTARY KIWANIS GOODWILL LIBRARY SYNOD FRATERNITY SORORITY ALUMNI ORPHANAGE`,
);

/**
 * Words that make an owner a nonprofit, except as the first word of a line, where they may be a last name:
 * CHURCH DALE M.
 */
export const laterNonprofitWords = words(
  "CHURCH COLLEGE LODGE CHAPEL TEMPLE PARISH GRANGE SHRINE CHAPTER BAPTIST ELKS",
);

/** Phrases that make an owner a nonprofit. */
export const nonprofitPhrases = phraseList(
  `GIRL SCOUT|BOY SCOUT|CHURCH OF|COLLEGE OF|LODGE OF|TEMPLE OF|TEMPLE BETH|CHAPEL OF|PARISH OF|BISHOP OF|PRESIDING BISHOP|PRES BISHOP|SALVATION ARMY|SISTERS OF|ORDER OF|
  KNIGHTS OF|KINGDOM HALL|ASSEMBLY OF GOD|ASSEMBLIES OF GOD|RED CROSS|CHRISTIAN CHURCH|CHRISTIAN FAITH|CHRISTIAN CENTER|CHRISTIAN ASSN|CHRISTIAN ASSOC|
  CHRISTIAN ASSEMBLY|CHRISTIAN SCHOOL|CHRISTIAN SCHOOLS|CHRISTIAN LIFE|CHRISTIAN MISSION|CHRISTIAN CAMP|CHRISTIAN REFORMED|CHRISTIAN WORSHIP|LATTER DAY|FIRE CO|HOSE CO|ENGINE CO`,
);

/** Words that name a government before OF, or before OF at the end of a name. */
export const governmentHeads = words(
  "CITY TOWN VILLAGE TOWNSHIP BOROUGH COUNTY STATE COMMONWEALTH PROVINCE DEPT DEPARTMENT BUREAU MUNICIPALITY INHABITANTS PORT SECRETARY BOARD BD COMM TN TWN TWP VLG CTY CNTY PUEBLO",
);

/** Words that name a government at the end of a name: HOLTBY COUNTY, ASHMERE TWP. */
export const governmentEnds = words("COUNTY TOWNSHIP TWP BOROUGH BORO COMMISSION BOARD SCHOOLS");

/**
 * Words that name a government anywhere but at the start of a line, whatever precedes them: a development
 * authority is one.
 */
export const governmentBodies = words(
  "AUTHORITY AUTH DISTRICT DIST DEPT DEPARTMENT PRECINCT COMMISSIONERS GOVERNMENT GOVT TRIBE TRIBES NATION BOCC ISD CISD MUD WCID CDD NRD DNR DNRC",
);

/** Words after COUNTY that name a part of its government. */
export const countyParts = words(
  "PARKS PARK PUBLIC ROAD ROADS HIGHWAY WEED FAIR BOARD LIBRARY SCHOOL SCHOOLS ENGINEER SHERIFF TREASURER CLERK LAND IDA",
);

/** Phrases that name a government anywhere in a line. */
export const governmentPhrases = phraseList(
  `UNITED STATES|U S A|USA|USDI|USDA|BLM|USFS|ISD|BOARD OF EDUCATION|COUNTY COMMISSIONERS|PUBLIC SCHOOLS|FOREST SERVICE|POSTAL SERVICE|
  REDEVELOPMENT AGENCY|DEVELOPMENT AGENCY|RENEWAL AGENCY|HOUSING AGENCY|VETERANS ADMINISTRATION|VETERANS AFFAIRS|GENERAL SERVICES ADMINISTRATION|
  PUBLIC LANDS|SCHOOL LANDS|SCHOOL LAND|STATE LANDS|LAND OFFICE|TIITF|MTA|FISH WILDLIFE|FISH & WILDLIFE|PARKS & WILDLIFE|PARKS & RECREATION|
  PARK & RECREATION|PUBLIC WORKS|PUBLIC SCHOOL|CENTRAL SCHOOL|HIGH SCHOOL|ELEMENTARY SCHOOL|CONSOLIDATED SCHOOL|CITY SCHOOLS|AREA SCHOOLS|COMMUNITY SCHOOLS|
  SCHOOL BOARD|BUREAU OF`,
);

/** Words that mark an estate; after the name they are not part of it. */
export const estateWords = words("ESTATE EST HEIRS HEIR DECD DECEASED EXECUTOR EXECUTRIX");

/**
 * All words and phrases that can decide an owner's kind, except company words, which do so anywhere by
 * themselves.
 */
export const kindPhrases: readonly (readonly string[])[] = [
  ...[
    ...[
      weakCompanyWords,
      laterCompanyWords,
      nonprofitWords,
      laterNonprofitWords,
      governmentEnds,
      governmentBodies,
      estateWords,
    ],
  ].flatMap((set) => [...set].map((word) => [word])),
  ...companyPhrases,
  ...nonprofitPhrases,
  ...governmentPhrases,
  ["COUNTY"],
  ["TRUST"],
  ["REPRESENTATIVE"],
  ["PERS", "REP"],
];

/** Suffixes of personal names, which are kept apart from given names. */
export const nameSuffixes = words("JR SR II III IV");

/** Words that belong to the last name that follows: VAN DER HOEVEL. */
export const nameParticles = words(
  "VAN VON DE DEL DELLA DER DEN DI DA DAS DOS DU EL LA LAS LE LOS MC MAC ST O SAINT TER",
);

/** Particles that make the next word a last name without a given name: VAN HOEVEL, but not LE ANNA. */
export const leadingParticles = words("VAN VON MC MAC ST SAINT O DE DEL");

/** Pairs of particles that are always followed by a last name. */
export const particlePairs = new Set("VAN DER|VAN DEN|VAN DE|VON DER|DE LA|DE LAS|DE LOS".split("|"));

/** Words too common to be searched alone; a query with no other word is refused. */
export const stopWords = words(
  "LLC TRUST THE OF INC CORP CO LP LLP LTD AND FOR A AN TO IN ET AL PLC FAMILY EST ESTATE",
);

/** Index spellings of words with several, including given names that deeds abbreviate. */
export const spellings: ReadonlyMap<string, string> = new Map([
  ["INCORPORATED", "INC"],
  ["CORPORATION", "CORP"],
  ["COMPANY", "CO"],
  ["LIMITED", "LTD"],
  ["ASSOCIATION", "ASSN"],
  ["TRST", "TRUST"],
  ["ESTATE", "EST"],
  ["DEPARTMENT", "DEPT"],
  ["DISTRICT", "DIST"],
  ["TOWNSHIP", "TWP"],
  ["SAINT", "ST"],
  ["WM", "WILLIAM"],
  ["ROBT", "ROBERT"],
  ["GEO", "GEORGE"],
  ["CHAS", "CHARLES"],
  ["THOS", "THOMAS"],
  ["RICHD", "RICHARD"],
  ["EDWD", "EDWARD"],
  ["BENJ", "BENJAMIN"],
  ["SAML", "SAMUEL"],
  ["DANL", "DANIEL"],
  ["FREDK", "FREDERICK"],
  ["ELIZ", "ELIZABETH"],
  ["MARGT", "MARGARET"],
]);

/**
 * A phrase that is matched before single words, with the tokens that replace it and the mark that it adds.
 */
export type OwnerPhrase = {
  readonly words: readonly string[];
  readonly tokens: readonly string[];
  readonly mark: string | null;
  /** Least number of words before a mark that may be a name as well: `JT` is one in JT RANCH and in HARLOW JT. */
  readonly behind: number;
};

/** Phrases of one meaning; a mark of several words, none of them a letter, is also printed with slashes (`ET/UX`). */
function phrases(mark: string | null, tokens: string, list: string, behind = 0): OwnerPhrase[] {
  const left = tokens === "" ? [] : tokens.split(" ");
  const all = list.split("|");
  const slashed = all.filter((phrase) => mark !== null && /^[A-Z]{2,}(?: [A-Z]{2,})+$/.test(phrase));
  return [...all, ...slashed.map((phrase) => phrase.replaceAll(" ", " / "))].map((phrase) => ({
    words: phrase.split(" "),
    tokens: left,
    mark,
    behind,
  }));
}

/** Owners known by name and by acronym; the index has both, whichever is printed. */
const aliases: readonly OwnerPhrase[] = [
  ...phrases(null, "UNITED STATES OF AMERICA USA", "UNITED STATES OF AMERICA|U S A|USA"),
  ...phrases(null, "BUREAU OF LAND MANAGEMENT BLM", "BUREAU OF LAND MANAGEMENT|BUREAU OF LAND MGMT|BLM"),
  ...phrases(null, "US FOREST SERVICE USFS", "U S FOREST SERVICE|US FOREST SERVICE|USFS"),
  ...phrases(
    null,
    "DEPT OF NATURAL RESOURCES DNR",
    "DEPARTMENT OF NATURAL RESOURCES|DEPT OF NATURAL RESOURCES|DNR",
  ),
  ...phrases(
    null,
    "INDEPENDENT SCHOOL DIST ISD",
    "INDEPENDENT SCHOOL DISTRICT|INDEPENDENT SCHOOL DIST|IND SCHOOL DIST|ISD",
  ),
  ...phrases(
    null,
    "HOMEOWNERS ASSN HOA",
    "HOMEOWNERS ASSOCIATION|HOMEOWNERS ASSN|HOMEOWNERS ASSOC|HOME OWNERS ASSOCIATION|HOME OWNERS ASSN|HOA",
  ),
];

/** The words of those names; a county may print only some of them. */
export const aliasWords: ReadonlySet<string> = new Set(aliases.flatMap(({tokens}) => tokens));

/** Marks of several words or with hyphens, longest first. */
export const ownerPhrases: readonly OwnerPhrase[] = [
  ...phrases("et al", "", "ET AL|ETAL|ET ALS|ETALS"),
  ...phrases("et ux", "", "ET UX|ETUX"),
  ...phrases("et vir", "", "ET VIR|ETVIR"),
  ...phrases(
    "joint tenancy",
    "",
    "JT TEN|JTROS|JTWROS|JT TENANTS|JOINT TENANTS|JOINT TENANCY|TEN COM|TEN BY ENT",
  ),
  ...phrases("joint tenancy", "", "JT", 2),
  ...phrases("husband and wife", "", "H / W|HUSBAND AND WIFE|HUSBAND & WIFE|WIFE & HUSBAND"),
  ...phrases("husband and wife", "", "H & W|W & H", 2),
  ...phrases("life estate", "", "LIFE EST|LIFE ESTATE|L / E|LIFE EST OF|LIFE ESTATE OF"),
  ...phrases(
    "trustee",
    "TRUST",
    "TRUSTEE|TRUSTEES|TTEE|TTEES|TRS|CO-TTEES|CO-TTEE|CO TTEES|CO TTEE|CO-TRUSTEES|CO-TRUSTEE",
  ),
  ...phrases(
    "trustee",
    "TRUST",
    "CO TRUSTEES|CO TRUSTEE|CO-TRS|CO-TR|REV TR|REV TRST|SUCCESSOR TRUSTEE|AS TRUSTEE",
  ),
  ...phrases("trustee", "TRUST", "TR", 1),
  ...phrases(null, "LLC", "L L C"),
  ...phrases(
    null,
    "LLC",
    "LIMITED LIABILITY COMPANY|LIMITED LIABILITY CO|LTD LIABILITY CO|LTD LIABILITY COMPANY",
  ),
  ...phrases(null, "LLP", "L L P|LIMITED LIABILITY PARTNERSHIP"),
  ...phrases(null, "LP", "L P|LIMITED PARTNERSHIP|LTD PARTNERSHIP"),
  ...aliases,
].sort((a, b) => b.words.length - a.words.length);
