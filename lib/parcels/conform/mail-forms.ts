import {parseAddress} from "../address/parse-address.ts";
import {pack} from "./packed-text.ts";

/** Parts of a packed answer of `mailForms`. */
export const mailParts = ["mail_line1", "mail_city", "mail_state", "mail_zip"] as const;

/**
 * Reads a mailing address from its published lines, which are separated by line feeds: a last line that ends in a state or
 * ZIP becomes city, state and ZIP, the others are joined. Gives a packed text of `mailParts`.
 */
export function mailForms(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  const place = parseAddress(`, ${last}`);
  const isPlace = lines.length > 1 && place.city !== null && (place.state !== null || place.zip !== null);
  if (!isPlace) return pack([lines.join(", "), null, null, null]);
  return pack([lines.slice(0, -1).join(", "), place.city, place.state, place.zip]);
}
