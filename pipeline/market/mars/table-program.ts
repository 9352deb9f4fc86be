import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {readTableFile, type TableTask} from "./table-file.ts";

// The program of the process that reads tables of price rows (`docs/design/reliability.md` section 2.1).

/** A few hundred bytes of each unread line come back. */
const maxBytes = 64 * 2 ** 20;

serveTasks<TableTask>(readTableFile, () => maxBytes);
