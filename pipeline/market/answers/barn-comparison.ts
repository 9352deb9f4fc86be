import {barnFigure, newestSales} from "../../../lib/market/barn-price.ts";
import {issuesOf} from "../../../lib/market/curve-evidence.ts";
import {curveClasses} from "../../../lib/market/curve-summary.ts";
import {curveGrades} from "../../../lib/market/weight-curve.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {penAreas} from "./indicators.ts";
import {sale_pens} from "./sale-pens.ts";

const questions = curveGrades.flatMap((grade) =>
  [450, 550, 650, 750, 850].map((weightLb) => ({grade, weightLb})),
);

/**
 * The prices of each barn for feeders of each class, grade and weight at its newest sale of the class (`docs/design/market.md` section 7.2);
 * no row where it sold none of the grade near the weight.
 */
export const barn_comparison = recordModel({
  name: "barn_comparison",
  reads: [sale_pens],
  columns: marketFiles.barn_comparison.columns,
  computedIn: ["lib/market/barn-price.ts"],
  rows: async (run) => {
    const {sales: ofVenues} = await run.value(penAreas);
    const sales = curveClasses.flatMap((kind) =>
      newestSales(ofVenues.filter((sale) => sale.kind === kind)).map((barnSale) => ({kind, barnSale})),
    );
    return sales.flatMap(({kind, barnSale}) =>
      questions.flatMap(({grade, weightLb}) => {
        const {price_avg, basis, support, head_count, change_week} = barnFigure(barnSale, {weightLb, grade});
        if (price_avg === null) return [];
        const {venueId, date} = barnSale.sale;
        return [
          {
            ...{venue_id: venueId, class: kind, muscle_grade: grade, weight_lb: weightLb},
            ...{sale_date: date, price_avg, basis, pens: support.length, head_count, change_week},
            issue_ids: issuesOf(support.map(({sale}) => sale)),
          },
        ];
      }),
    );
  },
});
