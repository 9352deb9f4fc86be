import type {CadastreQuestion, CadastreReply, NotAskedReason} from "./cadastre.ts";

type Miss = Exclude<CadastreReply, {status: "found"}>;

const inDataset = "No such parcel in the dataset";

/** Sentences of a miss for which no county was asked, by the reason. */
const notAskedTexts: Readonly<Record<NotAskedReason, string>> = {
  switched_off: `${inDataset}; asking counties is switched off in this deployment.`,
  sample: `${inDataset}, which is a generated sample; no county is asked for it.`,
  no_service: `${inDataset}, and no service of its county is registered, so that no county can be asked.`,
  unsuited: `${inDataset}, and the county's service cannot be asked in these words.`,
};

/** Gives the sentence of a 404: it says whether the house number, the parcel, the county or the setting is missing. */
export function missText(question: CadastreQuestion, {status, notAsked}: Miss): string {
  if (status === "empty") return `${inDataset} or at the county service.`;
  if (question.kind === "address" && question.address.number === null)
    return "The address has no house number. A county is asked by number, and no parcel of the dataset has this very line.";
  if (status === "county_unknown")
    return `${inDataset}, and nothing says which county to ask. Add a county, city or ZIP.`;
  return notAskedTexts[notAsked ?? "no_service"];
}
