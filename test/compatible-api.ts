/** Parameters and fields of the property API after which the four lookups are modelled, from its public documentation. */
export const theirParameters: Readonly<Record<string, readonly string[]>> = {
  "address-lookup": ["state", "address", "county", "city", "unitNumberStripped"],
  "parcel-id-lookup": ["state", "county", "parcelId"],
  "location-search": [
    ...["latitude", "longitude", "radius", "limit", "offset", "residential", "includeUnassignedAddress"],
  ],
  "owner-search": ["state", "lastName", "nameContains", "firstName", "limit", "offset", "county"],
};

export const theirMetadata = ["limit", "offset", "count", "searchCenter", "radiusMiles"];

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

export const theirFields: readonly string[] = words(`
  parcelId address addressFull street streetType streetNumber unitNumber unitNumberStripped addressUnit county city zipCode state
  buildingArea basementType wallType fireplaceCount fireplace floorType foundationType garageCount garage garageType buildingCount
  stories totalBathrooms totalBedrooms pool poolCode roofType roofStyle constructionType yearBuilt residential condo
  ownerName ownerAddressLine1 ownerCity ownerState ownerZipCode ownerResCount ownerComCount ownerOriginCode ownerParcelCount
  ownerAddressFull ownerZipCodePlusFour ownershipStartDate
  legalDesc subdivision zoningCode secTwnRng blockNum lotNum jurisdiction districtNum citySection landLot lotCode phaseNum tractNum
  acres depthSize frontage landArea
  totalAssessedValue assessedYear taxValue taxYear totalBuildingValue totalLandValue totalMarketValue marketValueYear taxRateCodeArea
  useCode modelValue modelValueMin modelValueMax assessments
  recordingDate transferDate transferDateObject transferPrice buyerIDCode buyerVestingCode bookNum pageNum transferDocType
  transferDocNum grantee grantor transfers
  totalLienCount totalLienBalance totalFinancingHistCount LTVCurrentEstCombined LTVCurrentEstRange equityCurrentEstBal
  equityCurrentEstRange LTVPurchase lenderName
  forecloseCode forecloseRecordDate forecloseFileDate forecloseCaseNum auctionDate
  fipsState fipsCounty siteCensusTract neighborhood longitude latitude siteId location geometry
  _id state_parcelId state_parcelIdSTD
  addressFormal addressFullUSPS addressRaw addressLine1 cityUSPS countyUSPS zipCodePlusFour streetName streetDirectionPrefix
  streetDirectionSuffix assessedBuildingValue assessedLandValue
`);
