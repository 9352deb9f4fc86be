/** A licence as `datapackage.json` and `parcel_sources` name it. */
export type Licence = {
  /** SPDX id, else the nearest id of the Open Definition (licenses.opendefinition.org), such as `other-open`. */
  readonly id: string;
  /** The words of the registry. */
  readonly title: string;
  readonly url: string | null;
};

type Rule = {readonly words: RegExp; readonly id: string; readonly url?: string};

/** The first rule whose words a text has gives the id. Only licences of SPDX and works of the US government have an address of their own. */
const rules: readonly Rule[] = [
  {words: /\bCC[ -]?0\b/i, id: "CC0-1.0", url: "https://creativecommons.org/publicdomain/zero/1.0/"},
  {words: /\bCC[ -]BY[ -]4/i, id: "CC-BY-4.0", url: "https://creativecommons.org/licenses/by/4.0/"},
  {words: /\bCC[ -]BY[ -]3/i, id: "CC-BY-3.0", url: "https://creativecommons.org/licenses/by/3.0/"},
  {words: /\bPDDL\b/i, id: "PDDL-1.0", url: "https://opendatacommons.org/licenses/pddl/1-0/"},
  {words: /US public domain/i, id: "other-pd", url: "https://www.usa.gov/government-copyright"},
  {words: /public (domain|records)/i, id: "other-pd"},
  {words: /credit|attribution|share-alike/i, id: "other-at"},
  {words: /open data/i, id: "other-open"},
  {words: /not stated|unknown|varies/i, id: "notspecified"},
];

/** Gives the id and address of a licence from the words of a registry: terms that no rule knows are `other-closed`. */
export function licenceOf(words: string): Licence {
  const rule = rules.find((each) => each.words.test(words));
  const own = /^https?:\/\/\S+$/.test(words.trim()) ? words.trim() : null;
  return {
    id: rule?.id ?? (own === null ? "other-closed" : "notspecified"),
    title: words,
    url: rule?.url ?? own,
  };
}
