/** Loss along a line, and its derivative. */
export interface Along {
  readonly loss: number;
  readonly slope: number;
}

/** A step and its evaluation. */
type Step<A extends Along> = A & { readonly step: number };

/** Minimum decrease of the loss in Armijo's condition, as a share of the decrease that the slope predicts. */
const SUFFICIENT = 1e-4;
/** Maximum slope in Wolfe's curvature condition, as a share of the slope at the start. */
const FLAT = 0.9;
/** Maximum number of trials between two steps: if the loss jumps, no number is enough. */
const MAX_TRIALS_BETWEEN = 10;
/** Maximum number of ever longer trial steps, each of which gains. */
const MAX_LONGER_TRIALS = 20;
/** Factor by which a trial step of the line search grows if the last was too short. */
const LONGER = 4;

/**
 * Finds a step that satisfies the strong Wolfe conditions. It yields steps and receives their evaluation; a step whose
 * loss is not finite is too long. Returns null if no step gains anything.
 *
 * Source: J. Nocedal and S. J. Wright, Numerical Optimization, 2006, algorithms 3.5 and 3.6.
 *
 * @param start evaluation at step 0; its slope is negative.
 * @param rounding relative error of losses: a smaller rise counts as none.
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
      return yield* between(last, here, conditions);
    if (conditions.isFlat(here)) return here;
    if (here.slope >= 0) return yield* between(here, last, conditions);
    last = here;
    step *= LONGER;
  }
  return last;
}

/** Conditions on a step, given the evaluation at step 0. */
interface Conditions {
  readonly falls: (here: Step<Along>) => boolean;
  readonly isFlat: (here: Along) => boolean;
  readonly isNoLower: (here: Along, than: Along) => boolean;
}

function conditionsOf(start: Along, rounding: number): Conditions {
  const slack = rounding * Math.abs(start.loss);
  return {
    falls: ({ step, loss }) => Number.isFinite(loss) && loss <= start.loss + SUFFICIENT * step * start.slope + slack,
    isFlat: ({ slope }) => Math.abs(slope) <= FLAT * Math.abs(start.slope),
    isNoLower: (here, than) => here.loss >= than.loss + slack,
  };
}

/** Searches between two steps, `low` of which has the lower loss and falls enough. */
function* between<A extends Along>(
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

/** Minimum of the cubic through both ends, kept away from them; the middle if it is undefined. */
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
