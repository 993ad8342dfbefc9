/** A local minimum of a map of losses. */
export interface Minimum {
  /** Indices of row and column. */
  readonly row: number;
  readonly column: number;
  readonly loss: number;
}

/** Depth below which a minimum does not count, as a fraction of the largest loss: grids have shallow ones in oblique valleys. */
const MIN_DEPTH = 0.05;

/**
 * Minima of a map of losses, `[row][column]`, the lowest first. One counts if every way from it to a lower point climbs by
 * at least a twentieth of the largest loss (its topological persistence): points are added from the lowest on, and where
 * two basins meet, the depth of the shallower one is known.
 */
export function minimaOf(losses: readonly (readonly number[])[]): Minimum[] {
  const points = losses
    .flatMap((line, row) => line.map((loss, column): Minimum => ({ row, column, loss })))
    .sort((a, b) => a.loss - b.loss);
  const least = MIN_DEPTH * (points.at(-1)?.loss ?? 0);
  /** Lowest point of the basin of each point that was added. */
  const basins = losses.map((): (Minimum | undefined)[] => []);
  const minima = new Set<Minimum>();
  for (const point of points) {
    const met = new Set<Minimum>();
    for (const i of [-1, 0, 1])
      for (const j of [-1, 0, 1]) {
        const basin = basins[point.row + i]?.[point.column + j];
        if (basin) met.add(basin);
      }
    const [lowest, ...others] = [...met].sort((a, b) => a.loss - b.loss);
    basins[point.row][point.column] = lowest ?? point;
    if (lowest === undefined) minima.add(point);
    for (const other of others) {
      if (point.loss - other.loss < least) minima.delete(other);
      for (const line of basins) line.forEach((basin, k) => basin === other && line.splice(k, 1, lowest));
    }
  }
  return [...minima];
}
