/** The ring of a rectangle, drawn counter-clockwise from its south-western corner. */
export function box(west: number, south: number, width: number, height = width): number[][] {
  const [east, north] = [west + width, south + height];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
