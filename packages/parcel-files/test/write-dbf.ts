/** A column of a dBASE table; `text` gives its cell for a row. */
export type DbfColumn<Row> = {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly text: (row: Row) => string;
};

/** A dBASE III table. `languageByte` and `encode` define the text encoding; rows in `deleted` are marked as deleted. */
export function dbfOf<Row>(
  columns: readonly DbfColumn<Row>[],
  rows: readonly Row[],
  {languageByte = 0, encode = (text: string) => Buffer.from(text, "utf8"), deleted = new Set<number>()} = {},
): Buffer {
  const recordSize = columns.reduce((sum, {width}) => sum + width, 1);
  const head = Buffer.alloc(32 + columns.length * 32 + 1);
  head[0] = 3;
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(recordSize, 10);
  head[29] = languageByte;
  for (const [i, {name, type, width}] of columns.entries()) {
    encode(name).copy(head, 32 + i * 32, 0, 10);
    head.write(type, 32 + i * 32 + 11);
    head[32 + i * 32 + 16] = width;
  }
  head[head.length - 1] = 0x0d;
  const records = rows.map((row, i) => {
    const record = Buffer.alloc(recordSize, " ");
    if (deleted.has(i)) record[0] = 0x2a;
    let at = 1;
    for (const {width, text} of columns) {
      encode(text(row)).copy(record, at, 0, width);
      at += width;
    }
    return record;
  });
  return Buffer.concat([head, ...records, Buffer.from([0x1a])]);
}
