/** Lines of each kind that counties print and people ask, made from the rules of docs/design/parcels.md alone. */

/** A row as a county prints it; `others` are further addresses of its parcel. */
export type PrintedRow = {situs: string; city?: string; zip?: string; others?: string[]};

/** A question, the rows it is asked of, and which of them is right; null where none is. */
export type WrittenCase = {rows: PrintedRow[]; question: string; right: number | null; state: string};

export type Dice = {
  whole(low: number, high: number): number;
  one<Item>(items: readonly Item[]): Item;
};

const first =
  "ALDER BENTON CEDAR DORSEY ELLIS FARMER GREELEY HARLAN IVERSON KELLER LARCH MERCER NOLAN OSWALD".split(" ");
const second = "HOLLOW CREEK HILL GROVE MEADOW".split(" ");
const places = ["BRISTOL", "FLINT", "BRYANT", "CHAPEL GROVE"];
const longTypes = {
  ST: "Street",
  AVE: "Avenue",
  RD: "Road",
  LN: "Lane",
  DR: "Drive",
  CT: "Court",
  BLVD: "Blvd",
} as const;

function titled(text: string): string {
  return text.toLowerCase().replaceAll(/\b[a-z]/gu, (letter) => letter.toUpperCase());
}

/** A street as a county prints it and as a person writes it. */
function streetOf(dice: Dice): {printed: string; asked: string} {
  const name = dice.whole(0, 1) ? dice.one(first) : `${dice.one(first)} ${dice.one(second)}`;
  const type = dice.one(Object.keys(longTypes) as (keyof typeof longTypes)[]);
  return {printed: `${name} ${type}`, asked: `${titled(name)} ${longTypes[type]}`};
}

/** A question ends with a town of its own, or gets that of the rows. */
type Made = {
  printed: (string | PrintedRow)[];
  question: string;
  right: number | null;
  state?: string;
  hasTown?: true;
};
type Maker = (dice: Dice) => Made;

/** Towns of one county with a ZIP of each. */
const wake = [
  ["Cary", "27511"],
  ["Wake Forest", "27587"],
  ["Apex", "27502"],
  ["Garner", "27529"],
] as const;

const house = (dice: Dice) => dice.whole(2, 9) * 100 + dice.whole(1, 99);
const numbered = "US HIGHWAY|US HWY|US|STATE HWY|STATE RTE".split("|");

/** One maker for each kind: the printed lines, the question, and the index of the line that is meant. */
const makers: Record<string, Maker> = {
  "a fraction glued to its number": (dice) => {
    const [number, street, cut] = [
      house(dice),
      streetOf(dice),
      dice.one(["1/2", "1/4", "3/4", "1/3", "2/3"]),
    ];
    const asked = dice.one([`${number} ${cut}`, `${number}-${cut}`, `${number}`, `${number}${cut[0]}`]);
    const right = asked === `${number}${cut[0]}` ? null : 0;
    return {printed: [`${number}${cut} ${street.printed}`], question: `${asked} ${street.asked}`, right};
  },
  "a letter before the number": (dice) => {
    const [number, street, letter] = [house(dice), streetOf(dice), dice.one([..."GHKTMV"])];
    const form = () => `${letter}${dice.one(["-", "", " "])}${number}`;
    return {
      printed: [`${form()} ${street.printed}`, `${letter}-${number + 2} ${street.printed}`],
      question: `${form()} ${street.asked}`,
      right: 0,
    };
  },
  "a road of two numbers": (dice) => {
    const [number, one, two] = [house(dice), dice.whole(10, 98), dice.whole(101, 799)];
    const way = dice.one(["N", "S"]);
    const asked = dice.one([
      `US ${one}-${two}`,
      `US ${one}/${two}`,
      `US Hwy ${one} ${two}`,
      `US Hwy ${one}-${two}`,
    ]);
    const rows = [
      `${number} US ${one} ${two} HWY ${way}`,
      `${number} US ${one} HWY ${way}`,
      `${number} US HWY ${two} ${way}`,
    ];
    return {printed: rows, question: `${number} ${asked} ${way}`, right: 0};
  },
  "one number of a road of two": (dice) => {
    const [number, one, two] = [house(dice), dice.whole(10, 98), dice.whole(101, 799)];
    return {
      printed: [`${number} US HWY ${one}-${two}`],
      question: `${number} US Highway ${dice.one([one, two])}`,
      right: null,
    };
  },
  "a letter behind the road's number": (dice) => {
    const [number, road, letter, way] = [
      house(dice),
      dice.whole(10, 98),
      dice.one([..."ABC"]),
      dice.one(["E", "W"]),
    ];
    const asked = dice.one([
      `US-${road}${letter}`,
      `US ${road}-${letter}`,
      `US Hwy ${road} ${letter}`,
      `US Hwy ${road}`,
    ]);
    const right = asked.endsWith(letter) ? 0 : null;
    return {
      printed: [`${number} US HWY ${road} ${letter} ${way}`],
      question: `${number} ${asked} ${way}`,
      right,
    };
  },
  "a bypass or business road": (dice) => {
    const [number, road, word] = [house(dice), dice.whole(10, 98), dice.one(["BYP", "BUS", "ALT"])];
    const isAsked = dice.whole(0, 1) === 1;
    return {
      printed: [`${number} US ${road} ${word}`],
      question: `${number} US Highway ${road}${isAsked ? ` ${titled(word)}` : ""}`,
      right: isAsked ? 0 : null,
    };
  },
  "a farm or ranch road of Texas": (dice) => {
    const [number, road] = [house(dice), dice.whole(100, 3990)];
    const form = () =>
      dice.one([
        `FM ${road} RD`,
        `FM ${road}`,
        `RM ${road}`,
        `RR ${road}`,
        `RANCH ROAD ${road}`,
        `FARM TO MARKET ROAD ${road}`,
      ]);
    return {
      printed: [`${number} ${form()}`, `${number} FM ${road + 1}`],
      question: `${number} ${form()}`,
      right: 0,
      state: "TX",
    };
  },
  "a unit between number and street": (dice) => {
    const [number, street, unit] = [house(dice), streetOf(dice), dice.whole(1, 400)];
    const word = dice.one(["UNIT ", "APT ", "#", "STE "]);
    return {
      printed: [unit, unit + 1].map((value) => `${number} ${word}${value} ${street.printed}`),
      question: `${number} ${street.asked} ${dice.one(["Unit ", "Apt ", "#"])}${unit}`,
      right: 0,
    };
  },
  "a unit before the number": (dice) => {
    const [number, street, unit] = [dice.whole(1000, 9900), streetOf(dice), dice.whole(2, 350)];
    const front = (value: number) =>
      dice.one([`#${value}-${number}`, `${value} - ${number}`, `UNIT ${value}, ${number}`]);
    return {
      printed: [unit, unit + 1].map((value) => `${front(value)} ${street.printed}`),
      question: `${number} ${street.asked} ${dice.one(["Unit ", "Apt ", "#"])}${unit}`,
      right: 0,
    };
  },
  "a unit of two parts": (dice) => {
    const [number, street, block, unit] = [house(dice), streetOf(dice), dice.whole(1, 8), dice.whole(1, 60)];
    const [printedWord, askedWord] = dice.one([
      ["BLDG", "Building"],
      ["TOWER", "Tower"],
      ["FL", "Floor"],
      ["LOT", "Lot"],
    ] as const);
    const parts = (block_: number) =>
      dice.one([`${printedWord} ${block_} UNIT ${unit}`, `UNIT ${unit} ${printedWord} ${block_}`]);
    const isThere = dice.whole(0, 3) > 0;
    return {
      printed: [block, block + 1].map((value) => `${number} ${street.printed} ${parts(value)}`),
      question: `${number} ${street.asked} ${askedWord} ${isThere ? block : block + 2} ${dice.one(["Unit", "Apt"])} ${unit}`,
      right: isThere ? 0 : null,
    };
  },
  "a unit of letters and a number": (dice) => {
    const [number, street, letters, unit] = [
      house(dice),
      streetOf(dice),
      dice.one(["P", "RES", "COMM", "A", "PH"]),
      dice.whole(1, 40),
    ];
    const form = (value: number) => `${letters}${dice.one(["-", " ", ""])}${value}`;
    const isThere = dice.whole(0, 3) > 0;
    return {
      printed: [unit, unit + 1].map(
        (value) => `${number} ${street.printed} ${dice.one(["UNIT#: ", "UNIT "])}${form(value)}`,
      ),
      question: `${number} ${street.asked} ${dice.one(["Unit", "Apt"])} ${form(isThere ? unit : unit + 2)}`,
      right: isThere ? 0 : null,
    };
  },
  "a floor, a rear or a basement": (dice) => {
    const [number, street] = [house(dice), streetOf(dice)];
    const [printed, asked] = dice.one([
      [`${number} ${street.printed} 2ND FLOOR`, "Fl 2"],
      [`REAR ${number} ${street.printed}`, "Rear"],
      [`${number} ${street.printed} (REAR)`, "Rear"],
      [`${number} ${street.printed} REAR`, "Rear"],
      [`${number} ${street.printed} BSMT`, "Bsmt"],
    ] as const);
    return {
      printed: [printed, `${number} ${street.printed} UNIT 7`],
      question: `${number} ${street.asked} ${asked}`,
      right: 0,
    };
  },
  "a unit that the street has not": (dice) => {
    const [number, name] = [house(dice), dice.one(first)];
    const rows = [1, 2, 3].map((unit) => `${number} ${name} AVE UNIT ${unit}`);
    return {
      printed: [...rows, `${number} ${name} WAY`],
      question: `${number} ${titled(name)} Ave Unit 9${dice.one([..."KXZ"])}9`,
      right: null,
    };
  },
  "a line that says where ground lies": (dice) => {
    const [street, other, feet] = [streetOf(dice), streetOf(dice), house(dice)];
    const side = dice.one(["NS", "SS", "ES", "WS", "NES", "NWS", "SES", "SWS"]);
    const lines = [
      `**${side} ${street.printed} ${feet} FT N OF ${other.printed}`,
      `**AT A POINT ${feet} FT E OF ${street.printed} REAR 3606-3702`,
      `0.${dice.whole(1, 9)} MI N OF ${street.printed}`,
      `CORNER OF ${street.printed} & ${other.printed}`,
      `OFF ${street.printed}`,
      `BETWEEN ${street.printed} AND ${other.printed}`,
    ];
    return {printed: [dice.one(lines)], question: `${feet} ${street.asked}`, right: null};
  },
  "a type of two letters": (dice) => {
    const [number, name] = [house(dice), dice.one(first)];
    const [printed, asked, other] = dice.one([
      ["BV", "Boulevard", "LN"],
      ["BL", "Blvd", "LN"],
      ["BD", "Blvd", "LN"],
      ["AL", "Alley", "LN"],
      ["CR", "Circle", "LN"],
      ["LA", "Lane", "AVE"],
      ["TL", "Trail", "AVE"],
      ["HW", "Highway", "AVE"],
      ["HY", "Hwy", "AVE"],
      ["TC", "Trace", "AVE"],
      ["Bv.", "Blvd", "LN"],
    ] as const);
    return {
      printed: [`${number} ${name} ${printed}`, `${number} ${name} ${other}`],
      question: `${number} ${titled(name)} ${asked}`,
      right: 0,
    };
  },
  "two house numbers": (dice) => {
    const [low, street] = [house(dice), streetOf(dice)];
    const printed = dice.one([
      `${low}/${low + 4} ${street.printed}`,
      `${low} ${low + 4} ${street.printed}`,
      `${low} ${street.printed} & ${low + 4}`,
    ]);
    const step = dice.one([0, 2, 4, 6]);
    return {printed: [printed], question: `${low + step} ${street.asked}`, right: step === 6 ? null : 0};
  },
  "a recipient before the street": (dice) => {
    const [number, street, zip] = [house(dice), streetOf(dice), 99_000 + dice.whole(1, 99)];
    return {
      printed: [
        `${number} ${street.printed}, CHENEY, WA ${zip}`,
        `${number + 2} ${street.printed}, CHENEY, WA ${zip}`,
      ],
      question: `${titled(dice.one(first))} Feed & Seed, ${number} ${street.asked}, Cheney, WA ${zip}${dice.one([", United States", ", USA", ""])}`,
      right: 0,
      state: "WA",
    };
  },
  "zeros before the number": (dice) => {
    const [number, street, isZero] = [house(dice), streetOf(dice), dice.whole(0, 1)];
    return {
      printed: [`0${number} ${street.printed}`, `${number} ${street.printed}`],
      question: `${isZero ? "0" : ""}${number} ${street.asked}`,
      right: isZero ? 0 : 1,
    };
  },
  "a letter on the number": (dice) => {
    const [number, street, hasLetter] = [house(dice), streetOf(dice), dice.whole(0, 1)];
    return {
      printed: [`${number}B ${street.printed}`, `${number} ${street.printed}`],
      question: `${number}${hasLetter ? "B" : ""} ${street.asked}`,
      right: hasLetter ? 0 : 1,
    };
  },
  "a type word inside the name": (dice) => {
    const [number, avenue] = [house(dice), dice.whole(30, 180) * 10 + 4];
    const [printed, asked] = dice.one([
      ["PLACE", "Pl"],
      ["PL", "Place"],
      ["TERRACE", "Ter"],
      ["LANE", "Ln"],
    ] as const);
    return {
      printed: [`${number} NE ${avenue}TH ${printed} RD`, `${number} NE ${avenue}TH RD`],
      question: `${number} NE ${avenue}th ${asked} Rd`,
      right: 0,
    };
  },
  "a name in one word or two": (dice) => {
    const [number, [printed, asked]] = [
      house(dice),
      dice.one([
        ["WESTVIEW", "West View"],
        ["WEST VIEW", "Westview"],
        ["CEDARCREEK", "Cedar Creek"],
        ["CEDAR CREEK", "Cedarcreek"],
      ] as const),
    ];
    return {printed: [`${number} ${printed} DR`], question: `${number} ${asked} Dr`, right: 0};
  },
  "a numbered highway of another class": (dice) => {
    const [number, road, printed] = [house(dice), dice.whole(10, 98), dice.one(numbered)];
    return {printed: [`${number} ${printed} ${road}`], question: `${number} Highway ${road}`, right: 0};
  },
  "two addresses of one parcel": (dice) => {
    const [number, one, two] = [house(dice), streetOf(dice), streetOf(dice)];
    const asked = dice.one([`${number} ${one.asked}`, `${number + 11} ${two.asked}`]);
    return {
      printed: [
        {
          situs: `${number} ${one.printed}`,
          city: "BRYANT",
          others: [`${number + 11} ${two.printed}, BRYANT`],
        },
        {situs: `${number + 2} ${one.printed}`, city: "BRYANT"},
      ],
      question: `${asked}, Bryant`,
      right: 0,
      hasTown: true,
    };
  },
  "a row with a ZIP and no town": (dice) => {
    const [number, street] = [house(dice), streetOf(dice)];
    const [[own, zip], [asked]] = [dice.one(wake), dice.one(wake)];
    return {
      printed: [{situs: `${number} ${street.printed}`, zip}],
      question: `${number} ${street.asked}, ${asked}`,
      right: asked === own ? 0 : null,
      state: "NC",
      hasTown: true,
    };
  },
  "a hyphen of Canada": (dice) => {
    const [unit, number, street] = [dice.whole(301, 350), dice.whole(1000, 9900), streetOf(dice)];
    return {
      printed: [`${unit}-${number} ${street.printed}`, `${unit + 1}-${number} ${street.printed}`],
      question: dice.one([`${unit}-${number} ${street.asked}`, `${number} ${street.asked} Unit ${unit}`]),
      right: 0,
      state: "MB",
    };
  },
};

export const kinds = Object.keys(makers);

/** A thrower of dice whose throws follow from the seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {whole, one: (items) => items[whole(0, items.length - 1)]!};
}

/** `count` cases of a kind; rows and question lie in one town. */
export function writtenCases(kind: string, count: number, seed = 1): WrittenCase[] {
  const throws = dice(seed);
  return Array.from({length: count}, () => {
    const {printed, question, right, state = "AR", hasTown} = makers[kind]!(throws);
    const city = throws.one(places);
    return {
      rows: printed.map((line) => {
        if (typeof line !== "string") return line;
        return line.includes(", ") && /\d{5}$/u.test(line) ? {situs: line} : {situs: line, city};
      }),
      question: hasTown === true || /\d{5}/u.test(question) ? question : `${question}, ${titled(city)}`,
      right,
      state,
    };
  });
}
