import type {FeedName} from "../../../schemas/market-feed.ts";

/** One invented file for each feed that the generated sample lacks, with a name that does not reveal the feed. */
export const inventedFiles: Readonly<Partial<Record<FeedName, readonly [name: string, content: string]>>> = {
  lmr: [
    "download-1.json",
    JSON.stringify({
      reportSection: "Detail",
      reportSections: ["Summary", "Detail"],
      stats: {"totalRows:": 1, "returnedRows:": 1, "userAllowedRows:": 100_000},
      results: [
        {
          report_date: "11/16/2026",
          office_name: "National",
          class_description: "STEER",
          selling_basis_description: "LIVE FOB",
          grade_description: "Over 80% Choice",
          head_count: "12,345",
          weight_range_avg: "1,512",
          weighted_avg_price: "228.31",
          report_title: "5 Area Weekly Weighted Average Direct Slaughter Cattle (PDF) (LM_CT150)",
          slug_name: "AMS_2477",
          slug_id: "2477",
          published_date: "11/16/2026 14:01:00",
        },
      ],
    }),
  ],
  nass: [
    "download-2.json",
    JSON.stringify({
      data: [
        {
          source_desc: "SURVEY",
          sector_desc: "ANIMALS & PRODUCTS",
          commodity_desc: "CATTLE",
          statisticcat_desc: "INVENTORY",
          short_desc: "CATTLE, COWS, BEEF - INVENTORY",
          domain_desc: "TOTAL",
          domaincat_desc: "NOT SPECIFIED",
          agg_level_desc: "COUNTY",
          state_alpha: "OK",
          state_fips_code: "40",
          county_ansi: "017",
          county_code: "017",
          county_name: "CANADIAN",
          year: "2026",
          reference_period_desc: "FIRST OF JAN",
          unit_desc: "HEAD",
          load_time: "2026-05-08 12:00:00.000",
          Value: "38,500",
          "CV (%)": "4.1",
        },
      ],
    }),
  ],
  usdm: [
    "download-3.csv",
    "MapDate,FIPS,County,State,None,D0,D1,D2,D3,D4,ValidStart,ValidEnd,StatisticFormatID\n20261117,40017,Canadian County,OK,20.50,79.50,40.25,10.00,0.00,0.00,2026-11-17,2026-11-23,1\n",
  ],
  nws: [
    "download-4.json",
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        {
          id: "https://api.weather.gov/alerts/urn:oid:invented",
          type: "Feature",
          geometry: null,
          properties: {
            id: "urn:oid:invented",
            areaDesc: "Canadian, OK",
            geocode: {SAME: ["040017"], UGC: ["OKZ024"]},
            affectedZones: ["https://api.weather.gov/zones/forecast/OKZ024"],
            references: [],
            sent: "2026-11-20T12:00:00-06:00",
            effective: "2026-11-20T12:00:00-06:00",
            onset: "2026-11-21T00:00:00-06:00",
            expires: "2026-11-21T06:00:00-06:00",
            ends: "2026-11-22T00:00:00-06:00",
            status: "Actual",
            messageType: "Alert",
            severity: "Severe",
            certainty: "Likely",
            urgency: "Expected",
            event: "Winter Storm Warning",
          },
        },
      ],
    }),
  ],
  diesel: [
    "download-5.json",
    JSON.stringify({
      response: {
        total: "1",
        frequency: "weekly",
        data: [
          {
            period: "2026-11-16",
            duoarea: "R20",
            "area-name": "PADD 2",
            product: "EPD2D",
            "product-name": "No 2 Diesel",
            process: "PTE",
            series: "EMD_EPD2D_PTE_R20_DPG",
            value: "3.711",
            units: "$/GAL",
          },
        ],
      },
    }),
  ],
  futures: [
    "download-6.csv",
    "Date,Open,High,Low,Close,Volume,ticker,name\n2026-11-19,361.2,363.0,360.1,362.4,5123,GF=F,Feeder Cattle Futures\n",
  ],
  aphis: [
    "download-7.csv",
    "Confirmed,State,County Name,Disease,Production Type,Special Id\n17-Nov-26,Texas,Zavala,New World screwworm,Cattle Feedlot,TX-1\n",
  ],
  echo: [
    "download-8.csv",
    '"CWPName","SourceID","CWPCity","CWPState","CWPZip","FacLat","FacLong"\n"SAMPLE FEEDER","OK0000001","YUKON","OK","73099","35.5","-97.75"\n',
  ],
  directory: [
    "download-9.csv",
    "name,city,state,sale_day,phone\nSample Creek Auction Barn,Yukon,OK,Tuesday,405-555-0100\nTwo Posts Livestock Market,Ada,OK,Monday,405-555-0101\n",
  ],
  psd: [
    "download-12.csv",
    "Market Agencies Selling on Commission,,,,,,,\nBusiness Name,DBA,Address,City,State,Zip,Phone,Bond Amount\nTwo Posts LLC,Two Posts Livestock Market,1 Barn Rd,Ada,OK,74820,405-555-0101,50000\n",
  ],
  dealers: [
    "download-10.csv",
    "License Number,Business Name,License Type,City,State,Status\n1,Prairie Cattle Co.,Livestock Dealer,Yukon,OK,Active\n2,Border Buyers LLC,Order Buyer,Ada,OK,Active\n",
  ],
  references: [
    "download-11.json",
    JSON.stringify([
      {
        title: "Brand inspection rules",
        url: "https://agriculture.example/brand",
        kind: "brand_inspection",
        state: "OK",
      },
    ]),
  ],
};
