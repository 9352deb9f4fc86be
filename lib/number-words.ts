const counts = new Intl.NumberFormat("en-US");
const money = new Intl.NumberFormat("en-US", {minimumFractionDigits: 2, maximumFractionDigits: 2});

/** A count as people write it: `1,155`. */
export function countWords(count: number): string {
  return counts.format(count);
}

/** An amount of money as people write it: `2,328.67`. */
export function moneyWords(amount: number): string {
  return money.format(amount);
}
