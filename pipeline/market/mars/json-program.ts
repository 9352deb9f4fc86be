import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import {type JsonTask, readJsonFile} from "./json-file.ts";

// The program of the process that reads JSON of My Market News (`docs/design/reliability.md` section 2.1).

serveTasks<JsonTask>(readJsonFile, ({file}) => maxOutputBytes(file.sizeBytes));
