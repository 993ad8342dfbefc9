/** The loss along a line, and its derivative. */
export interface Along {
  readonly loss: number;
  readonly slope: number;
}

/** A step, and what is there. */
type Step<A extends Along> = A & { readonly step: number };

/** Armijo's condition: the loss falls by this share of what the slope promises. */
const SUFFICIENT = 1e-4;
/** The curvature condition: the slope is at most this share of the one at the start. */
const FLAT = 0.9;
/** Trials between two steps: where the loss jumps, no number of them is enough. */
const MOST_BETWEEN = 10;
/** Trials of ever longer steps, each of which gains. */
const MOST_LONGER = 20;
/** How much longer the next trial is where the last was not long enough. */
const LONGER = 4;

/**
 * Looks for a step that satisfies the strong Wolfe conditions. It yields steps and is to be told what is there; a loss
 * that is not finite is one that is too long. Gives null where no step gains anything.
 *
 * Source: J. Nocedal and S. J. Wright, Numerical Optimization, 2006, algorithms 3.5 and 3.6.
 *
 * @param start what is at step 0; its slope is negative.
 * @param rounding how far losses may be off, relatively: a rise by less is none.
 */
export function* strongWolfe<A extends Along>(
  start: A,
  first: number,
  rounding = 0,
): Generator<number, Step<A> | null, A> {
  const conditions = conditionsOf(start, rounding);
  let last: Step<A> = { ...start, step: 0 };
  let step = first;
  for (let trial = 1; trial <= MOST_LONGER; trial++) {
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

/** What is asked of a step, given what is at step 0. */
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

/** Looks between two steps, `low` of which has the lower loss and falls enough. */
function* between<A extends Along>(
  low: Step<A>,
  high: Step<A>,
  conditions: Conditions,
): Generator<number, Step<A> | null, A> {
  for (let trial = 0; trial < MOST_BETWEEN; trial++) {
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

/** Where the cubic through both ends is least, kept away from them; the middle where it cannot be told. */
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
