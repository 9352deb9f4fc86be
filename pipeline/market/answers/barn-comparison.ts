import {barnFigure} from "../../../lib/market/barn-price.ts";
import {pensBetween} from "../../../lib/market/curve-figure.ts";
import {curveClasses} from "../../../lib/market/curve-summary.ts";
import {curveGrades} from "../../../lib/market/weight-curve.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {recordModel} from "../models/record-model.ts";
import {penAreas} from "./indicators.ts";
import {sale_pens} from "./sale-pens.ts";

const weightsLb = [450, 550, 650, 750, 850];
/** A barn whose last sale of the class is older is not compared. */
const recentDays = 28;

/** What each barn paid for feeders of each class, grade and weight at its newest sale (`docs/design/market.md` section 7.2), where it sold any. */
export const barn_comparison = recordModel({
  name: "barn_comparison",
  reads: [sale_pens],
  columns: marketFiles.barn_comparison.columns,
  computedIn: ["lib/market/barn-price.ts"],
  rows: async (run) => {
    const {areas} = await run.value(penAreas);
    const nation = areas.find(({area}) => area === "US");
    return curveClasses.flatMap((kind) =>
      [
        ...Map.groupBy(pensBetween(nation?.pens[kind] ?? [], 0, recentDays), ({sale}) => sale.venueId),
      ].flatMap(([venueId, pens]) =>
        curveGrades.flatMap((grade) =>
          weightsLb.flatMap((weightLb) => {
            const {price_avg, basis, support, head_count, change_week, sale} = barnFigure(pens, {
              weightLb,
              grade,
            });
            if (price_avg === null) return [];
            return [
              {
                ...{venue_id: venueId, class: kind, muscle_grade: grade, weight_lb: weightLb},
                ...{sale_date: sale.date, price_avg, basis, pens: support.length, head_count, change_week},
                issue_ids: [...new Set(support.map((pen) => pen.sale.issueId))].sort(),
              },
            ];
          }),
        ),
      ),
    );
  },
});
