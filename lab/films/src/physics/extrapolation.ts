/** Right-hand side of a differential equation: returns dy/dt at y. */
export type RateOfChange = (y: readonly number[]) => number[];

/** Numbers of substeps of the modified midpoint rule, in the order in which they are tried. */
const SUBSTEPS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20];
/** Shortest step of the integrator, s; a shorter one is an error. */
const SHORTEST_STEP = 1e-9;

/**
 * Integrates y over a time by the method of Gragg, Bulirsch and Stoer (1966): the modified midpoint rule with
 * increasing numbers of substeps, extrapolated to zero substep in its square.
 *
 * @param tolerance largest absolute difference, in any component, between a step's last two extrapolations.
 * @throws if the step would have to be shorter than {@link SHORTEST_STEP}.
 */
export function integrate(rate: RateOfChange, start: readonly number[], seconds: number, tolerance = 1e-12): number[] {
  let y = [...start];
  let done = 0;
  let step = seconds;
  while (Math.abs(seconds - done) > 1e-15) {
    if (Math.abs(step) > Math.abs(seconds - done)) step = seconds - done;
    const next = extrapolatedStep(rate, y, step, tolerance);
    if (next) {
      y = next;
      done += step;
    } else {
      step /= 2;
      if (Math.abs(step) < SHORTEST_STEP) throw new Error(`No step from ${y} is short enough for ${tolerance}.`);
    }
  }
  return y;
}

/** Makes one extrapolated step; null if it does not converge. */
function extrapolatedStep(rate: RateOfChange, y: readonly number[], step: number, tolerance: number): number[] | null {
  // The last row of Neville's table.
  let row: number[][] = [];
  for (const [k, count] of SUBSTEPS.entries()) {
    const next = [midpoint(rate, y, step, count)];
    for (let j = 1; j <= k; j++) {
      const ratio = (count / SUBSTEPS[k - j]) ** 2 - 1;
      next.push(next[j - 1].map((value, i) => value + (value - row[j - 1][i]) / ratio));
    }
    const change = k === 0 ? Infinity : Math.max(...next[k].map((value, i) => Math.abs(value - next[k - 1][i])));
    if (change < tolerance) return next[k];
    row = next;
  }
  return null;
}

/** Gragg's modified midpoint rule, with `count` substeps over one step. */
function midpoint(rate: RateOfChange, y: readonly number[], step: number, count: number): number[] {
  const h = step / count;
  const moved = (from: readonly number[], by: readonly number[], s: number): number[] =>
    from.map((value, i) => value + s * by[i]);
  let before = [...y];
  let now = moved(y, rate(y), h);
  for (let k = 1; k < count; k++) [before, now] = [now, moved(before, rate(now), 2 * h)];
  const after = moved(now, rate(now), h);
  return before.map((value, i) => {
    const smooth = value / 2 + after[i] / 2;
    return (now[i] + smooth) / 2;
  });
}
