import {plainText} from "./plain-text.ts";

/** Normalises a report code: `ams-1895` for `1895` and `AMS_1895`, `lm-ct150` for `LM_CT150`; null for nothing. */
export function reportSlug(published: string | null | undefined): string | null {
  const text = plainText(published)?.toLowerCase().replace(/\.0$/, "") ?? null;
  if (text === null) return null;
  return /^\d+$/.test(text) ? `ams-${text}` : text.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** The report code in a download's URL (`…/reports/1781`), else in its file name (`ams_1781_rows.csv`), or null. */
export function slugFromPlace(url: string | undefined, path: string): string | null {
  const inUrl = /\/(?:reports|viewReport)\/((?:ams_)?\d{3,5}|lm_\w+)/i.exec(url ?? "")?.[1];
  const inName = /(?:^|[^a-z0-9])(ams[_-]?\d{3,5}|lm_[a-z]{2}\d{3})(?![0-9])/i.exec(
    path.split("/").at(-1)!,
  )?.[1];
  return reportSlug(inUrl ?? inName?.replace(/^ams(?=\d)/i, "ams_") ?? null);
}
