import type {AnswerContext} from "../../../lib/market/evidence.ts";
import {value} from "../../../lib/models/model.ts";
import type {MarketSource} from "../../../schemas/market-source.ts";

/** What all answers of a build share: its date, and the sources that they may cite. */
export const answerContext = value<AnswerContext & {readonly registry: readonly MarketSource[]}>(
  "context of answers",
);
