import {serveTasks} from "../../../lib/process/bounded-program.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import {readSignalFile, type SignalTask} from "./read-file.ts";

// The program of the process that reads the files of signal feeds (`docs/design/reliability.md` section 2.1).

serveTasks<SignalTask>(
  (task) => readSignalFile(task),
  ({file}) => maxOutputBytes(file.sizeBytes),
);
