import {readFileSync} from "node:fs";
import {ByteBuffer} from "flatbuffers";
import {readFeature, readHeader} from "../src/flatgeobuf-tables.ts";

/** The header and features of a FlatGeobuf file, and where the last feature ends; throws if a length points beyond the file. */
export function readFlatgeobuf(path: string, indexBytes: (features: number) => number) {
  const file = readFileSync(path);
  const length = file.readUInt32LE(8);
  const header = readHeader(new ByteBuffer(file.subarray(12, 12 + length)));
  const names = new Set(header.columns.map(({name}) => name));
  const features: ReturnType<typeof readFeature>[] = [];
  let at = 12 + length + indexBytes(header.features);
  while (at < file.length) {
    const size = file.readUInt32LE(at);
    features.push(readFeature(new ByteBuffer(file.subarray(at + 4, at + 4 + size)), header, names));
    at += 4 + size;
  }
  return {header, features, end: at, size: file.length};
}
