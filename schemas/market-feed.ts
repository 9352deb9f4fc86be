/** The market feeds and what belongs in the folder of each, `<raw>/market/<feed>/`, in the order of the documents. */
export const marketFeeds = {
  mars: "auction reports of USDA My Market News (MARS): JSON, CSV, XLSX or Parquet",
  "ams-text": "printed auction reports of USDA AMS: PDFs, or their text (pdftotext -layout)",
  lmr: "mandatory reports of the USDA Datamart: JSON, XML or CSV",
  nass: "USDA NASS Quick Stats: JSON, XML or CSV",
  usdm: "US Drought Monitor, shares of areas: JSON, CSV or Parquet",
  nws: "National Weather Service alerts and forecasts: JSON",
  diesel: "EIA weekly diesel prices: JSON or CSV",
  futures: "cattle and corn futures of a licensed vendor: CSV or JSON",
  aphis: "animal-health notices: JSON or CSV",
  echo: "EPA ECHO facilities: JSON or CSV",
  directory: "rosters of sale barns: CSV, XLSX, HTML, PDF, JSON, Parquet or lines of a list",
  psd: "USDA's list of market agencies that sell on commission (Packers and Stockyards): XLSX, PDF or CSV",
  dealers: "licence lists of states: CSV, XLSX, HTML, PDF, JSON or Parquet",
  geo: "ZIP areas and their counties: Census gazetteer and relationship files",
  references: "pointers to reference pages: JSON or CSV",
} as const satisfies Readonly<Record<string, string>>;

/** Name of a feed and of its folder of raw files. `pipeline/market/feeds/` defines each. */
export type FeedName = keyof typeof marketFeeds;

/** Names of the feeds. */
export const feedNames = Object.keys(marketFeeds) as readonly FeedName[];
