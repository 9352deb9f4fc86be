import {isUtf8} from "node:buffer";
import {TextDecoder} from "node:util";
import {FileError} from "./parcel-file.ts";

/** Decodes the bytes of a cell; a cell that fills its width may end in the middle of a character. */
export type DecodeText = (bytes: Buffer, mayBeCut?: boolean) => string;

/** An encoding that is stated: where, under which name, and its decoder. */
type StatedEncoding = {readonly label: string; readonly isUtf8: boolean; readonly decode: DecodeText};

/** Upper halves of the DOS code pages missing from the Encoding Standard (unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC). */
const dosPages: Readonly<Record<string, string>> = {
  "437":
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  "850":
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
};

/** Code pages by the header's language byte (dBASE and FoxPro tables). 0x57 means "the system's own" and names none. */
const pageOfLanguageByte: Readonly<Record<number, string>> = {
  1: "437",
  2: "850",
  3: "1252",
  8: "437",
  10: "850",
  11: "437",
  13: "437",
  14: "850",
  15: "437",
  16: "850",
  17: "437",
  18: "850",
  20: "850",
  22: "437",
  23: "850",
  24: "437",
  25: "437",
  26: "850",
  27: "437",
  29: "850",
  37: "850",
  55: "850",
  77: "936",
  78: "949",
  79: "950",
  80: "874",
  88: "1252",
  89: "1252",
  200: "1250",
  201: "1251",
  202: "1254",
  203: "1253",
}; // prettier-ignore

/** Where the encoding of a DBF or of a text may be stated. */
type DbfEncoding = {
  /** The text begins with the byte order mark of UTF-8. */
  readonly hasMark?: boolean;
  /** Encoding in the registry entry. */
  readonly declared?: string | undefined;
  /** Content of the accompanying .cpg file. */
  readonly cpg?: string | undefined;
  readonly languageByte: number;
};

/**
 * Returns the encoding that a byte order mark states, else the entry, else the .cpg, else the language byte; null if none of them states it. Throws a `FileError` if
 * the entry's encoding is unknown.
 */
export function statedEncoding(
  {hasMark = false, declared, cpg, languageByte}: DbfEncoding,
  shownPath: string,
): StatedEncoding | null {
  const page = pageOfLanguageByte[languageByte];
  const stated = [
    {label: "its byte order mark says UTF-8", name: hasMark ? "UTF-8" : undefined},
    {label: `the entry says ${declared}`, name: declared},
    {label: `its .cpg says ${cpg?.trim()}`, name: cpg},
    {label: `its header says ${page}`, name: page},
  ];
  for (const {label, name} of stated) {
    const decode = name === undefined ? null : decoderOf(name);
    if (decode !== null) return {label, isUtf8: decode === utf8Decoder, decode};
    if (name !== undefined && name === declared)
      throw new FileError(
        `${shownPath}: encoding "${declared}" is unknown; expected a name such as windows-1252.`,
      );
  }
  return null;
}

/** Returns the decoder for any common name of an encoding (`UTF-8`, `65001`, `ANSI 1252`, `CP850`, `88591`); null if unknown. */
function decoderOf(name: string): DecodeText | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^\ufeff/, "");
  const page = /^(?:ansi|oem|cp|windows|ibm|dos)?[ _-]?(\d{3,5})$/.exec(plain)?.[1];
  if (page !== undefined && dosPages[page] !== undefined) return dosDecoder(dosPages[page]);
  const iso = /^(?:iso[ _-]?)?8859[ _-]?(\d{1,2})$/.exec(plain)?.[1];
  const label =
    iso !== undefined
      ? `iso-8859-${iso}`
      : page === undefined
        ? plain
        : (labelOfPage[page] ?? `windows-${page}`);
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === "utf-8" ? utf8Decoder : (bytes) => decoder.decode(bytes);
  } catch {
    return null;
  }
}

const labelOfPage: Readonly<Record<string, string>> = {
  "65001": "utf-8",
  "932": "shift_jis",
  "936": "gbk",
  "949": "euc-kr",
  "950": "big5",
  "866": "ibm866",
}; // prettier-ignore

/** Cells with bytes above 127: those that are UTF-8, if need be without a character that is cut at their end, and others. */
export type CellCounts = {utf8: number; other: number};

/** Counts a cell with bytes above 127. */
export function countCell(counts: CellCounts, bytes: Buffer, mayBeCut: boolean): void {
  if (utf8Part(bytes, mayBeCut) === null) counts.other += 1;
  else counts.utf8 += 1;
}

/** The share of cells that must be UTF-8 where another encoding is stated. */
const contradicts = 0.95;

/**
 * Chooses the decoder of a table by its cells: the bytes decide where they contradict the label, and a
 * cell that is not UTF-8 in a table that is, is read as Windows-1252. `remark` says so where the label or some cells differ.
 */
export function decoderByCells(
  stated: StatedEncoding | null,
  {utf8, other}: CellCounts,
): {decode: DecodeText; remark: string | null} {
  const cells = utf8 + other;
  const label = stated?.label ?? "no encoding is stated";
  const countsShown = `of ${cells} cells with other letters than ASCII, ${utf8} are UTF-8`;
  if (stated !== null && !stated.isUtf8) {
    if (cells === 0 || utf8 < contradicts * cells) return {decode: stated.decode, remark: null};
    return {decode: utf8Decoder, remark: `${label}, but the text is read as UTF-8: ${countsShown}.`};
  }
  if (2 * other > cells) {
    const remark = stated === null ? null : `${label}, but the text is read as Windows-1252: ${countsShown}.`;
    return {decode: (bytes) => windows1252.decode(bytes), remark};
  }
  const remark =
    other === 0 ? null : `${label}, and ${other} cells are read as Windows-1252: ${countsShown}.`;
  return {decode: utf8Decoder, remark};
}

const windows1252 = new TextDecoder("windows-1252");

function utf8Decoder(bytes: Buffer, mayBeCut = false): string {
  return utf8Part(bytes, mayBeCut)?.toString("utf8") ?? windows1252.decode(bytes);
}

/** The bytes without an incomplete character at the end of a cell that may be cut; null if they are not UTF-8. */
function utf8Part(bytes: Buffer, mayBeCut: boolean): Buffer | null {
  if (isUtf8(bytes)) return bytes;
  for (let cut = 1; mayBeCut && cut < 4 && cut <= bytes.length; cut++) {
    const lead = bytes[bytes.length - cut]!;
    if ((lead & 0xc0) === 0x80) continue;
    const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    const rest = bytes.subarray(0, bytes.length - cut);
    return needed > cut && isUtf8(rest) ? rest : null;
  }
  return null;
}

function dosDecoder(upper: string): DecodeText {
  return (bytes) => {
    if (isUtf8(bytes) && !bytes.some((byte) => byte >= 0x80)) return bytes.toString("latin1");
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80]!)).join(
      "",
    );
  };
}
