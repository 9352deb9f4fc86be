/** Addresses of the United States and Canada as people write and registers print them: read, keyed, compared and scored. */
export {
  type AddressKeyParts,
  addressKeys,
  exactKeys,
  foldedKeys,
  keyNumbers,
  otherClassKeys,
} from "./address-keys.ts";
export {
  type AddressMatch,
  compareMatches,
  correctedName,
  isOutranked,
  isUnchecked,
  numberScore,
  type PartScore,
  scoreAddress,
  unitScore,
} from "./address-score.ts";
export {nullSpellings} from "./blank-text.ts";
export {directionals} from "./directionals.ts";
export {
  editDistance,
  isWholeName,
  type NearNames,
  nameBeginning,
  nearNameKeys,
  nearNames,
} from "./edit-distance.ts";
export {cityKey, foldText, type PlaceName, placeName, upperPlain} from "./fold-text.ts";
export {cardinalWords, ordinalWords} from "./number-words.ts";
export {otherReadings} from "./other-readings.ts";
export {addressesIn, parseAddress} from "./parse-address.ts";
export {
  type AddressContext,
  type AddressStatus,
  type ParsedAddress,
  type ScoredAddress,
  streetColumns,
  wordsOfNoTown,
} from "./parsed-address.ts";
export {isPrintedInParts} from "./printed-parts.ts";
export {type State, stateCodes, stateNames, stateOfZip, states} from "./state-names.ts";
export {streetTypes} from "./street-types.ts";
export {longestTown, townNames} from "./town-names.ts";
export {standaloneUnits, unitDesignators} from "./unit-part.ts";
export {severalParts, strippedUnit, unitBeside, valuedPart} from "./unit-parts.ts";
