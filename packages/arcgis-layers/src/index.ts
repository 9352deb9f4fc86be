/** Layers of ArcGIS servers: what to ask them, what they answer, and all their rows page by page. */
export {
  type ArcgisAnswer,
  type ArcgisError,
  type ArcgisFeature,
  type ArcgisLayer,
  type ArcgisPage,
  errorOf,
  parseServerJson,
  readAnswer,
  withoutNaN,
} from "./layer-reply.ts";
export {
  type LayerPage,
  nextPage,
  type PullAsker,
  samePageAgain,
} from "./next-page.ts";
export {answerText, type PageFacts, pageFacts} from "./page-facts.ts";
export {countRows, pullAllColumns, pullAsJson, pullOtherwise, withMethod} from "./pull-method.ts";
export {boxForm, pointForm, rowsForm} from "./query-forms.ts";
export {type EsriField, type EsriLayerName, EsriService, EsriSpatialReference} from "./rest-shapes.ts";
export {mayHaveMore, refusalOfPage, replyProjection, sortedFeatures} from "./untrusted-page.ts";
export {readUntrusted} from "./untrusted-reply.ts";
export {
  type Comparison,
  isSendableParcelId,
  isSpellable,
  sendableText,
  whereClause,
} from "./where.ts";
