import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBType,
  INTEGER,
  LIST,
  MAP,
  TIMESTAMP,
  VARCHAR,
} from "@duckdb/node-api";

/** Types of columns into which rows of TypeScript are written. */
export const appendTypes: Readonly<Record<string, DuckDBType>> = {
  VARCHAR,
  "VARCHAR[]": LIST(VARCHAR),
  BOOLEAN,
  INTEGER,
  "INTEGER[]": LIST(INTEGER),
  BIGINT,
  DOUBLE,
  DATE,
  TIMESTAMP,
  "MAP(VARCHAR, DOUBLE)": MAP(VARCHAR, DOUBLE),
};
