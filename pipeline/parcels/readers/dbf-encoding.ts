import {isUtf8} from "node:buffer";
import {TextDecoder} from "node:util";
import {UserError} from "../../../lib/errors.ts";

/** Decodes the bytes of a cell. */
export type DecodeText = (bytes: Buffer) => string;

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

/** Where a DBF's encoding may be stated. */
type DbfEncoding = {
  /** Encoding in the registry entry. */
  readonly declared?: string | undefined;
  /** Content of the accompanying .cpg file. */
  readonly cpg?: string | undefined;
  readonly languageByte: number;
};

/**
 * Returns the decoder for a DBF's text from the entry's encoding, else the .cpg, else the language byte; null if none of them states it.
 * Throws a `UserError` if the entry's encoding is unknown.
 */
export function statedDecoder({declared, cpg, languageByte}: DbfEncoding, shown: string): DecodeText | null {
  if (declared !== undefined) {
    const decoder = decoderOf(declared);
    if (decoder === null)
      throw new UserError(
        `${shown}: encoding "${declared}" is unknown; expected a name such as windows-1252.`,
      );
    return decoder;
  }
  return decoderOf(cpg ?? "") ?? decoderOf(pageOfLanguageByte[languageByte] ?? "");
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

/** Decodes UTF-8. Cells are truncated by bytes, so an incomplete character at the end is dropped rather than shown as damage. */
function utf8Decoder(bytes: Buffer): string {
  for (let cut = 0; cut < 4 && cut < bytes.length; cut++) {
    const lead = bytes[bytes.length - 1 - cut]!;
    if ((lead & 0xc0) === 0x80) continue;
    const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    const whole = needed > cut + 1 ? bytes.subarray(0, bytes.length - 1 - cut) : bytes;
    return whole.toString("utf8");
  }
  return bytes.toString("utf8");
}

const windows1252 = new TextDecoder("windows-1252");

/** Returns the decoder for a DBF without a stated encoding: UTF-8 if all of its bytes are valid, else Windows-1252. */
export function decoderByContent(chunksAreUtf8: boolean): DecodeText {
  return chunksAreUtf8 ? utf8Decoder : (bytes) => windows1252.decode(bytes);
}

function dosDecoder(upper: string): DecodeText {
  return (bytes) => {
    if (isUtf8(bytes) && !bytes.some((byte) => byte >= 0x80)) return bytes.toString("latin1");
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80]!)).join(
      "",
    );
  };
}
