import {parseAddress} from "../address/parse-address.ts";
import {pack} from "./packed-text.ts";

/** Parts of a packed answer of `mailForms`. */
export const mailParts = ["mail_line1", "mail_city", "mail_state", "mail_zip"] as const;

/**
 * A mailing address from its lines as published, parted by line feeds: where the last one ends in a state or ZIP, it is city,
 * state and ZIP; the others are joined. A packed text of `mailParts` comes out.
 */
export function mailForms(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  const place = parseAddress(`, ${last}`);
  const isPlace = lines.length > 1 && place.city !== null && (place.state !== null || place.zip !== null);
  if (!isPlace) return pack([lines.join(", "), null, null, null]);
  return pack([lines.slice(0, -1).join(", "), place.city, place.state, place.zip]);
}
