type Head = {readonly head: number};
type Weighed = Head & {readonly weightLb: number};

/** The pens whose weight is at most some pounds from a weight. */
export function pensWithin<Pen extends {readonly weightLb: number}>(
  pens: readonly Pen[],
  weightLb: number,
  lb: number,
): Pen[] {
  return pens.filter((pen) => Math.abs(pen.weightLb - weightLb) <= lb);
}

/** Total head. */
export function headOf(pens: readonly Head[]): number {
  return pens.reduce((sum, {head}) => sum + head, 0);
}

/** Pounds a head; not a number without pens. */
export function meanWeight(pens: readonly Weighed[]): number {
  return poundsOf(pens) / headOf(pens);
}

/** USD per cwt over the pounds sold; null without pens. */
export function poundsMean(pens: readonly (Weighed & {readonly price: number})[]): number | null {
  const pounds = poundsOf(pens);
  return pounds === 0
    ? null
    : pens.reduce((sum, {head, weightLb, price}) => sum + head * weightLb * price, 0) / pounds;
}

function poundsOf(pens: readonly Weighed[]): number {
  return pens.reduce((sum, {head, weightLb}) => sum + head * weightLb, 0);
}
