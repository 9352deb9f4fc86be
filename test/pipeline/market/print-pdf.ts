import {createRequire} from "node:module";
import PDFDocument from "pdfkit";

/** Print styles, each with one trait that PDF readers trip over. */
export const printStyles = ["typewriter", "proportional", "turned page", "turned text", "ligatures"] as const;
export type PrintStyle = (typeof printStyles)[number];

const ligatureFont = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
const [letter, leading, margin] = [5.2, 9.5, 24];
const fontSize = 7;

/** Prints a report's text, laid out as by `pdftotext -layout`, as a PDF with that layout; a form feed starts a page. */
export async function printPdf(text: string, style: PrintStyle = "proportional"): Promise<Buffer> {
  const pages = text.split("\f").map((page) => page.replace(/^\n/, "").split("\n"));
  const longest = Math.max(...pages.flat().map((line) => line.trimEnd().length));
  const width = margin * 2 + letter * longest;
  const document = new PDFDocument({autoFirstPage: false, margin: 0, info: {CreationDate: new Date(0)}});
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on("end", resolve));
  for (const lines of pages) {
    const height = margin * 2 + leading * lines.length;
    const isTurned = style === "turned text" || style === "turned page";
    const page = document.addPage({size: isTurned ? [height, width] : [width, height], margin: 0});
    if (isTurned) document.rotate(-90, {origin: [0, 0]}).translate(-width, 0);
    // A rotated page: text printed sideways appears upright.
    if (style === "turned page") (page.page.dictionary.data as Record<string, unknown>)["Rotate"] = 90;
    for (const [index, line] of lines.entries()) printLine(document, line, margin + leading * index, style);
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function printLine(document: PDFKit.PDFDocument, line: string, y: number, style: PrintStyle): void {
  if (style === "typewriter") {
    document.font("Courier").fontSize(letter / 0.6);
    const start = line.search(/\S/);
    if (start >= 0) document.text(line.trim(), margin + start * letter, y, {lineBreak: false});
    return;
  }
  const isHeading = /^[A-Z][A-Z /-]+( - |$)/.test(line);
  document
    .font(style === "ligatures" ? ligatureFont : isHeading ? "Helvetica-Bold" : "Helvetica")
    .fontSize(fontSize);
  for (const match of line.matchAll(/\S+(?: \S+)*/g)) {
    const [text, place] = [match[0], margin + match.index * letter];
    const room = text.length * letter;
    const scale = Math.min(1, room / document.widthOfString(text));
    // Numbers stand under the middle of their heading, as in print.
    const left = place + (room - document.widthOfString(text) * scale) / 2;
    document
      .fontSize(fontSize * scale)
      .text(text, left, y, {lineBreak: false})
      .fontSize(fontSize);
  }
}
