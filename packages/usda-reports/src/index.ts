/** Market reports of the USDA: printed ones as rows, what their reporters write as fields, and the words of both. */
export {classOf, commodityOf, isCattleCategory, isOtherSpecies} from "./cattle-class.ts";
export {deliveryOf, isCashPrice, tradeTerms} from "./delivery.ts";
export {gradeOf, isGrade} from "./grade.ts";
export {
  dressingOf,
  lotDescriptorsOf,
  pregnancyStageOf,
  rangeOf,
  splitAgeStageDressing,
  splitDressing,
} from "./lot-words.ts";
export {plainText, statesNoSale} from "./plain-text.ts";
export {
  assumedPriceUnit,
  freightOf,
  maxAssumedPrice,
  noUnitColumn,
  priceUnitOf,
  weightBasisOf,
} from "./price-unit.ts";
export {parsePrintedReport, ReportError} from "./printed-report.ts";
export {dateFrom, instantFrom, instantOf, monthNumber, publishedTime} from "./published-date.ts";
export {type Narrative, readNarrative} from "./read-narrative.ts";
export {
  type IssueTexts,
  issueColumns,
  issueDateColumns,
  issueTextColumns,
  type RawColumn,
  type RawReportHeader,
  type RawReportRow,
  type Receipts,
  rawColumns,
  rawNumberColumns,
  type WordColumn,
  wordColumns,
} from "./report-columns.ts";
export {knownReports, marketTypeOf, type ReportKind, stateOfReport} from "./report-kind.ts";
export {reportRegion} from "./report-region.ts";
export {reportSlug, slugFromPlace} from "./report-slug.ts";
export {reportStates} from "./report-states.ts";
export {feedOfReports, readReportTitle, reportPeriod} from "./report-title.ts";
