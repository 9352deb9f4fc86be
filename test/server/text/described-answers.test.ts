import {describeAnswer} from "../../../server/text/describe-answer.ts";
import {labelledLines} from "../../../server/text/description.ts";
import {testCases, withLikes} from "../../given-expect.ts";

type Answer = {path: string; ok?: boolean; body: unknown; shows?: string[]};

/** An answer as people and programs are told it, or the parts of that which a case `shows`, without what is empty; a column is followed by the step at which narrow terminals drop it. */
testCases<Answer>("described-answers.txt", ({path, ok = true, body, shows}) => {
  const answer = {ok, body: JSON.stringify(withLikes("answer-likes.json", body))};
  const described = describeAnswer(path, answer);
  const {headline, claims, page, records, facts} = described;
  const tables = described.tables.map(({title, columns, rows}) => ({
    title,
    columns: columns.map(({header, priority}) => (priority === undefined ? header : `${header} ${priority}`)),
    rows,
  }));
  const lines = Object.fromEntries(labelledLines(described));
  const shown = Object.entries({headline, claims, tables, page, lines, records, facts});
  return Object.fromEntries(
    shown.filter(
      ([name, value]) =>
        (shows?.includes(name) ?? true) && !["[]", "{}", "null"].includes(JSON.stringify(value)),
    ),
  );
});
