import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBType,
  INTEGER,
  LIST,
  MAP,
  SMALLINT,
  TIMESTAMP,
  VARCHAR,
} from "@duckdb/node-api";

/** Types of columns into which rows of TypeScript are written. */
export const appendTypes: Readonly<Record<string, DuckDBType>> = {
  VARCHAR,
  "VARCHAR[]": LIST(VARCHAR),
  BLOB,
  BOOLEAN,
  SMALLINT,
  INTEGER,
  "INTEGER[]": LIST(INTEGER),
  BIGINT,
  DOUBLE,
  DATE,
  TIMESTAMP,
  "MAP(VARCHAR, DOUBLE)": MAP(VARCHAR, DOUBLE),
};
