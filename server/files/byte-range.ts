/** The bytes of a file to send: the whole, one range (its last byte included), or none that there is. */
export type ByteRange = "whole" | "unsatisfiable" | {readonly first: number; readonly last: number};

const pattern = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/;

/**
 * Reads a Range header for a file of so many bytes. Open and suffix ranges are taken. Several ranges, and one that begins after the end, are
 * unsatisfiable; a header in another unit or form is ignored, as HTTP has it.
 */
export function byteRange(header: string | undefined, size: number): ByteRange {
  if (header === undefined || !/^bytes=/.test(header)) return "whole";
  if (header.includes(",")) return "unsatisfiable";
  const [, from = "", to = ""] = pattern.exec(header) ?? [];
  if (from === "" && to === "") return "whole";
  if (from === "") return suffix(Number(to), size);
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return "whole";
  return first < size ? {first, last} : "unsatisfiable";
}

function suffix(length: number, size: number): ByteRange {
  if (length === 0 || size === 0) return "unsatisfiable";
  return {first: Math.max(0, size - length), last: size - 1};
}
