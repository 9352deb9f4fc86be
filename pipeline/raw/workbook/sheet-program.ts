import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {maxOutputBytes} from "../document-reader.ts";
import {type SheetTask, writeSheets} from "./sheets.ts";

// Entry point of the process that reads workbooks (`docs/design/reliability.md` section 2.1).

serveTasks<SheetTask>(writeSheets, ({size}) => maxOutputBytes(size));
