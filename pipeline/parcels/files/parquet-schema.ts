import * as arrow from "apache-arrow";
import {storage} from "../../../lib/storage/arrow-file/arrow-columns.ts";
import {type ParcelColumn, parcelColumns} from "../../../schemas/parcel-columns.ts";

const text = new arrow.Utf8();
const degrees = new arrow.Float64();
const corners = ["xmin", "ymin", "xmax", "ymax"].map((name) => nullable(name, degrees));

/**
 * Returns the Arrow schema of `parcels.parquet` as readers built on Arrow expect it in the footer (`ARROW:schema`), with the footer's other
 * `entries`, which such readers take from it alone. Only by it `state` is a dictionary, which it must be beside a folder `state=TX`:
 * pandas and pyarrow make a dictionary of the folder's name, and refuse a column of plain text of that name
 * (`docs/design/parcels.md` section 2.4).
 */
export function parcelSchema(entries: Readonly<Record<string, string>>): string {
  const fields = [
    ...parcelColumns.map((column) => nullable(column.name, typeOf(column))),
    nullable("geometry", new arrow.Binary()),
    nullable("bbox", new arrow.Struct(corners)),
  ];
  const schema = new arrow.Schema(fields, new Map(Object.entries(entries)));
  const stream = Buffer.from(arrow.tableToIPC(new arrow.Table(schema), "stream"));
  // The first message of the stream: a mark, the length of the schema, the schema.
  return stream.toString("base64", 0, 8 + stream.readInt32LE(4));
}

function nullable(name: string, type: arrow.DataType): arrow.Field {
  return new arrow.Field(name, type, true);
}

function typeOf({name, kind}: ParcelColumn): arrow.DataType {
  // Without an id each schema gets the next one, and equal builds would differ.
  if (name === "state") return new arrow.Dictionary(text, new arrow.Int32(), 0);
  if (kind === "list") return new arrow.List(nullable("element", text));
  return kind === "money" ? new arrow.Decimal(2, 14, 128) : storage[kind].type;
}
