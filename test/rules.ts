import {basename} from "node:path";
import {projectFiles, projectText} from "./project-files.ts";

/** A numbered rule of `docs/design/`: its id, its document, and the text beside the id. */
type Rule = {readonly id: string; readonly document: string; readonly text: string};

const files = projectFiles();
const tests = files
  .filter(
    (file) =>
      /^(?:test|packages\/[\w-]+\/test)\/.*\.(test\.ts|txt|json)$/.test(file) &&
      file !== "test/citations.test.ts",
  )
  .map((file) => ({file, text: projectText(file)}));

/** Files in which S1 to S30 are address scores rather than rows of the test plan. */
const scoresAddresses = /(?:address-(?:scores?|match|lookup)|place-question)\.(?:test\.ts|txt)$/;

/** The design documents, and the generated catalogue of limitations. */
export const ruleDocument = /^docs\/(?:design\/.*|reference\/limitations)\.md$/;

/** The rules of the documents: each starts a table row or a bold paragraph. */
export function designRules(): Rule[] {
  const documents = files.filter((file) => ruleDocument.test(file));
  return documents.flatMap((document) =>
    [...projectText(document).matchAll(/^(?:\| |\*\*)([A-Z]\d{1,2})(?: \|(.*)\||,(.*))$/gm)].map(
      ([, id, row, bold]) => ({id: id!, document, text: (row ?? bold)!.trim()}),
    ),
  );
}

/**
 * Test files that cover a rule: they name its id in a title or case, or quote its sentence. A promise (G) is covered by the
 * rules that its row lists as proofs. Test-plan rows look like land-use codes (D1) and columns (O2), so only a title, or the
 * size of a long run, counts as naming one.
 */
export function testsOf({id, document, text}: Rule): string[] {
  const proofs = /^G\d/.test(id)
    ? [
        ...text
          .split("|")
          .at(-1)!
          .matchAll(/[A-Z]\d{1,2}/g),
      ]
    : [];
  const isPlanned = document.endsWith("reliability.md");
  const names = [id, ...proofs.map(([proof]) => proof)].map((name) =>
    isPlanned
      ? new RegExp(`["'\`](?:[A-Z]\\d+, )*${name}(?:, [A-Z]\\d+)*:|sizeOf\\("${name}"`)
      : new RegExp(`["'\`(.|, ]${name}(?=[^\\w-])`),
  );
  const sentence = /^[LP]\d/.test(id) ? (text.match(/[\w ,-]{18,}/)?.[0].trim() ?? null) : null;
  return tests
    .filter(({file}) => isPlanned === !scoresAddresses.test(file) || !/^[GS]\d/.test(id))
    .filter(
      ({text: held}) =>
        names.some((name) => name.test(held)) || (sentence !== null && held.includes(sentence)),
    )
    .map(({file}) => file);
}

/**
 * Rules without a test of their own: sentences that only tests of whole answers see. A rule leaves this list when a test names
 * it; none may be added.
 */
export const heldByNone: readonly string[] = ["L14", "P11"];

/** The rules by document, each with its test files: the first three, and the number of others. */
export function ruleTable(): string {
  const rows = designRules().map((rule) => {
    const held = testsOf(rule).map((file) => file.replace(/^test\//, ""));
    const more = held.length > 3 ? ` and ${held.length - 3} more` : "";
    return `| ${rule.id} | ${basename(rule.document)} | ${held.length === 0 ? "none" : `${held.slice(0, 3).join(", ")}${more}`} |\n`;
  });
  return `| rule | document | tests |\n| --- | --- | --- |\n${rows.join("")}`;
}
