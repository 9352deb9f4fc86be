import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {readGeoFile} from "./zips.ts";

// The program of the process that reads tables of ZIP areas (`docs/design/reliability.md` section 2.1).

serveTasks<RawFile>(readGeoFile, ({sizeBytes}) => maxOutputBytes(sizeBytes));
