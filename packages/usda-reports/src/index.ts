/** Market reports of the USDA: print, JSON, CSV and workbooks as rows, what reporters write as fields, and the words of all. */
export {type AnswerRows, rowsOfAnswer} from "./answer-rows.ts";
export {classOf, commodityOf, isCattleCategory, isOtherSpecies} from "./cattle-class.ts";
export {
  type ColumnMatch,
  matchColumns,
  missingColumns,
  namesPriceRows,
  namesReportList,
  type SpecialColumn,
} from "./column-aliases.ts";
export {decodedText, needsDecoding} from "./decoded-text.ts";
export {delimitedRows} from "./delimited-rows.ts";
export {deliveryOf, isCashPrice} from "./delivery.ts";
export {gradeOf, isGrade} from "./grade.ts";
export {readJsonReport} from "./json-report.ts";
export {partialDetail} from "./json-rows.ts";
export {
  dressingOf,
  lotDescriptorsOf,
  pregnancyStageOf,
  rangeOf,
  splitAgeStageDressing,
  splitDressing,
} from "./lot-words.ts";
export {
  cutoutMeasures,
  mandatoryCells,
  mandatoryProduct,
  mandatoryRecords,
  statedRecords,
} from "./mandatory-report.ts";
export {pdfLayout} from "./pdf-layout.ts";
export {linesOfPage, type PageText, pdfPages} from "./pdf-pages.ts";
export {emptyWords, plainText} from "./plain-text.ts";
export {priceSheet} from "./price-sheet.ts";
export {
  assumedPriceUnit,
  freightOf,
  maxAssumedPrice,
  noUnitColumn,
  priceUnitOf,
  weightBasisOf,
} from "./price-unit.ts";
export {parsePrintedReport} from "./printed-report.ts";
export {dateFrom, instantFrom, instantOf, monthNumber, publishedTime} from "./published-date.ts";
export {type Narrative, readNarrative} from "./read-narrative.ts";
export {
  type IssueTexts,
  issueColumns,
  issueDateColumns,
  type RawColumn,
  type RawReportHeader,
  type RawReportRow,
  rawColumns,
  rawNumberColumns,
  type WordColumn,
  wordColumns,
} from "./report-columns.ts";
export {ReportError} from "./report-error.ts";
export {knownReports, marketTypeOf, type ReportKind, stateOfReport} from "./report-kind.ts";
export {reportRegion} from "./report-region.ts";
export {reportSlug, slugFromPlace} from "./report-slug.ts";
export {reportStates} from "./report-states.ts";
export {areMandatory, readReportTitle, reportPeriod} from "./report-title.ts";
export {type TableHead, tableHead} from "./table-head.ts";
