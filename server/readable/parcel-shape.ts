import {z} from "zod";

const text = z.string().nullish();
const number = z.number().nullish();

const Provenance = z.looseObject({
  default: z.looseObject({source: z.string(), vintage: z.string(), confidence: z.number()}),
  fields: z.record(z.string(), z.looseObject({source: text, vintage: text, confidence: number})),
});
export type Provenance = z.infer<typeof Provenance>;

/** The members of a property record that people are shown. */
export const ParcelRecord = z.looseObject({
  parcelUid: z.string(),
  parcelId: text,
  address: text,
  addressFull: text,
  city: text,
  county: z.string(),
  state: z.string(),
  latitude: number,
  longitude: number,
  pointMethod: text,
  acres: number,
  acresBasis: text,
  ownerName: text,
  ownerKind: text,
  ownerAddressLine1: text,
  ownerCity: text,
  ownerState: text,
  ownerZipCode: text,
  useCode: text,
  useDescription: text,
  landUseCategory: text,
  totalAssessedValue: number,
  assessedYear: number,
  totalMarketValue: number,
  marketValueYear: number,
  taxableValue: number,
  useValue: number,
  taxValue: number,
  taxYear: number,
  currency: text,
  legalDesc: text,
  subdivision: text,
  secTwnRng: text,
  zoningCode: text,
  buildingArea: number,
  yearBuilt: number,
  transferDate: text,
  transferPrice: number,
  provenance: Provenance,
  match: z.looseObject({type: z.string(), score: number, notes: z.array(z.string()).nullish()}).nullish(),
  distanceMiles: number,
});
export type ParcelRecord = z.infer<typeof ParcelRecord>;

const Metadata = z.looseObject({
  total: number,
  count: number,
  offset: number,
  sources: z.array(z.looseObject({id: z.string(), name: z.string(), licence: text, vintage: text})),
  coverage: z.array(z.looseObject({state: z.string(), county: text, status: z.string(), vintage: text})),
  lookup: z.looseObject({origin: z.string(), cadastreStatus: z.string()}),
  limitations: z.array(z.string()),
  buildId: z.string(),
});
export type ParcelMetadata = z.infer<typeof Metadata>;

/** A parcel answer as far as people are shown it: of one parcel, or of a page of them. */
export const ParcelShape = z.looseObject({
  property: ParcelRecord.optional(),
  properties: z.array(ParcelRecord).optional(),
  metadata: Metadata,
});
