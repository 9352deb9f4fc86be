/** Unit designators of USPS Publication 28, appendix C2, by every accepted spelling; `#` is not among them. */
export const unitDesignators: ReadonlyMap<string, string> = new Map(
  `APT APARTMENT APMT APTMT|BLDG BUILDING BLD BLDNG BULD|DEPT DEPARTMENT|FL FLOOR FLR|HNGR HANGAR|LOT LT|OFC OFFICE
PIER|RM ROOM|SLIP|SPC SPACE SP|STE SUITE SUIT|STOP|TRLR TRAILER|UNIT UNT|CONDO|PMB|MSC|TOWER TWR|WING|MC|HSE HOUSE|STALL|VILLA`
    .split(/[|\n]/)
    .flatMap((line) => {
      const [short, ...others] = line.split(" ");
      return [short!, ...others].map((spelling) => [spelling, short!] as const);
    }),
);

/** Designators that need no number after them. */
export const standaloneUnits: ReadonlyMap<string, string> = new Map([
  ["BSMT", "BSMT"],
  ["BASEMENT", "BSMT"],
  ["FRNT", "FRNT"],
  ["FRONT", "FRNT"],
  ["LBBY", "LBBY"],
  ["LOBBY", "LBBY"],
  ["LOWR", "LOWR"],
  ["LOWER", "LOWR"],
  ["PH", "PH"],
  ["PENTHOUSE", "PH"],
  ["REAR", "REAR"],
  ["SIDE", "SIDE"],
  ["UPPR", "UPPR"],
  ["UPPER", "UPPR"],
  ["MEZZANINE", "MEZZ"],
  ["GARAGE", "GARAGE"],
]);
