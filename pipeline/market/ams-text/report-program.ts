import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {readReportFile} from "./print-reader.ts";

// The program of the process that reads printed reports (`docs/design/reliability.md` section 2.1).

serveTasks<RawFile>(readReportFile, ({sizeBytes}) => maxOutputBytes(sizeBytes));
