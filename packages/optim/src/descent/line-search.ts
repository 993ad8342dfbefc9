/** Loss at a step along a line, and its derivative with respect to the step. */
export interface Along {
  readonly loss: number;
  readonly slope: number;
}

/** A step along the line with its evaluation. */
type Step<A extends Along> = A & { readonly step: number };

/** Minimum decrease of the loss for Armijo's condition, relative to the decrease that the slope at step 0 predicts. */
const ARMIJO_SLOPE = 1e-4;
/** Maximum absolute slope for Wolfe's curvature condition, relative to that at step 0. */
const MAX_SLOPE_RATIO = 0.9;
/** Maximum number of trials within an interval; needed if the loss is discontinuous, where no trial may succeed. */
const MAX_TRIALS_BETWEEN = 10;
/** Maximum number of trials with growing steps. */
const MAX_LONGER_TRIALS = 20;
/** Factor by which the step grows while it is too short. */
const STEP_GROWTH = 4;

/**
 * Line search for a step that satisfies the strong Wolfe conditions. Yields steps and receives their evaluations; a
 * step with a loss that is not finite counts as too long. Returns null if no step lowers the loss.
 *
 * Source: J. Nocedal and S. J. Wright, Numerical Optimization, 2006, algorithms 3.5 and 3.6.
 *
 * @param start evaluation at step 0, with a negative slope.
 * @param rounding relative rounding error of the loss; a smaller rise is ignored.
 */
export function* strongWolfe<A extends Along>(
  start: A,
  first: number,
  rounding = 0,
): Generator<number, Step<A> | null, A> {
  const conditions = conditionsOf(start, rounding);
  let last: Step<A> = { ...start, step: 0 };
  let step = first;
  for (let trial = 1; trial <= MAX_LONGER_TRIALS; trial++) {
    const here: Step<A> = { ...(yield step), step };
    if (!conditions.falls(here) || (trial > 1 && conditions.isNoLower(here, last)))
      return yield* searchBetween(last, here, conditions);
    if (conditions.isFlat(here)) return here;
    if (here.slope >= 0) return yield* searchBetween(here, last, conditions);
    last = here;
    step *= STEP_GROWTH;
  }
  return last;
}

/** The strong Wolfe conditions as tests of a step, relative to the evaluation at step 0. */
interface Conditions {
  readonly falls: (here: Step<Along>) => boolean;
  readonly isFlat: (here: Along) => boolean;
  readonly isNoLower: (here: Along, than: Along) => boolean;
}

function conditionsOf(start: Along, rounding: number): Conditions {
  const roundingMargin = rounding * Math.abs(start.loss);
  return {
    falls: ({ step, loss }) =>
      Number.isFinite(loss) && loss <= start.loss + ARMIJO_SLOPE * step * start.slope + roundingMargin,
    isFlat: ({ slope }) => Math.abs(slope) <= MAX_SLOPE_RATIO * Math.abs(start.slope),
    isNoLower: (here, than) => here.loss >= than.loss + roundingMargin,
  };
}

/** Searches the interval between two steps, of which `low` has the lower loss and satisfies Armijo's condition. */
function* searchBetween<A extends Along>(
  low: Step<A>,
  high: Step<A>,
  conditions: Conditions,
): Generator<number, Step<A> | null, A> {
  for (let trial = 0; trial < MAX_TRIALS_BETWEEN; trial++) {
    const step = trialBetween(low, high);
    if (Math.abs(step - low.step) <= 1e-14 * Math.abs(step)) break;
    const here: Step<A> = { ...(yield step), step };
    if (!conditions.falls(here) || conditions.isNoLower(here, low)) high = here;
    else {
      if (conditions.isFlat(here)) return here;
      if (here.slope * (high.step - low.step) >= 0) high = low;
      low = here;
    }
  }
  return low.step > 0 ? low : null;
}

/**
 * Next trial step in an interval: the minimum of the cubic through losses and slopes of both ends, at least a tenth of
 * the interval away from them; the middle if that cubic is undefined.
 */
function trialBetween(low: Step<Along>, high: Step<Along>): number {
  const middle = (low.step + high.step) / 2;
  if (!Number.isFinite(high.loss) || !Number.isFinite(high.slope)) return middle;
  const width = high.step - low.step;
  // Source: Nocedal and Wright, equation 3.59.
  const a = low.slope + high.slope - (3 * (high.loss - low.loss)) / width;
  const square = a * a - low.slope * high.slope;
  if (!(square >= 0)) return middle;
  const b = Math.sign(width) * Math.sqrt(square);
  const least = high.step - (width * (high.slope + b - a)) / (high.slope - low.slope + 2 * b);
  if (!Number.isFinite(least)) return middle;
  const [near, far] = [low.step + 0.1 * width, high.step - 0.1 * width];
  return Math.min(Math.max(least, Math.min(near, far)), Math.max(near, far));
}
