import {serveTasks} from "../../../lib/process/bounded-program.ts";
import {mostOutputBytes} from "../../raw/document-reader.ts";
import {pdfLayout} from "./pdf-layout.ts";

/** A PDF with the path under which it is named. */
export type PdfTask = {readonly bytes: Uint8Array; readonly shown: string};

// The program of the process that reads the PDFs of printed reports (`docs/design/reliability.md` section 2.1).

serveTasks<PdfTask>(
  ({bytes, shown}) => pdfLayout(Buffer.from(bytes), shown),
  ({bytes}) => mostOutputBytes(bytes.length),
);
