import type { Along } from './line-search.ts';

/** Maximum number of evaluations of the function in one line search. */
const MAX_EVALUATIONS = 5;
/** Maximum ratio of a trial's step to the previous trial's. */
const MAX_STEP_RATIO = 3;

/**
 * One end of the bracketing interval: a step, its evaluation, and the square root of the remaining gain, taken as
 * negative before the minimum and positive beyond it.
 */
interface BracketEnd {
  readonly step: number;
  readonly root: number;
}

/** A step along the line with its evaluation. */
type Step<A extends Along> = A & { readonly step: number };

/**
 * Line search for a loss that is known to be attainable: false position on the square root of the remaining gain, whose
 * sign changes at the minimum. Yields steps and receives their evaluations. Only the sign of the slope is used, so it
 * tolerates gradients that are correct but useless for the next step, as in long runs with contact. Returns the step of
 * least loss; null if none is lower than the start.
 *
 * Source: M. Dowell and P. Jarratt, A modified regula falsi method, 1971 (the Illinois algorithm).
 *
 * @param start evaluation at step 0, with a negative slope and a loss above `attainable`.
 * @param remainder share of the difference between the start's loss and `attainable` at which the search ends.
 */
export function* falsePosition<A extends Along>(
  start: A,
  first: number,
  attainable: number,
  remainder: number,
): Generator<number, Step<A> | null, A> {
  const gap = ({ loss }: Along): number => Math.sqrt(Math.max(loss - attainable, 0));
  const all = gap(start);
  let best: Step<A> | null = null;
  let before: BracketEnd = { step: 0, root: -all };
  let low = before;
  let high = null as BracketEnd | null;
  let side = 0;
  let step = first;
  for (let trial = 0; trial < MAX_EVALUATIONS; trial++) {
    const here: Step<A> = { ...(yield step), step };
    const isFiniteLoss = Number.isFinite(here.loss);
    if (isFiniteLoss && here.loss < (best ?? start).loss) best = here;
    if (isFiniteLoss && gap(here) ** 2 <= remainder * all ** 2) break;
    // If more remains to gain than at the start, it went too far, whatever the slope.
    const isBeyond = !isFiniteLoss || here.slope >= 0 || gap(here) >= all;
    if (isBeyond) {
      if (side > 0) low = { ...low, root: low.root / 2 };
      high = { step, root: isFiniteLoss ? gap(here) : all };
      side = 1;
    } else {
      if (side < 0 && high) high = { ...high, root: high.root / 2 };
      [before, low] = [low, { step, root: -gap(here) }];
      side = -1;
    }
    step = high
      ? low.step + ((high.step - low.step) * -low.root) / (high.root - low.root)
      : Math.min(
          MAX_STEP_RATIO * low.step,
          low.step + ((low.step - before.step) * -low.root) / (low.root - before.root),
        );
    if (!(step > 0 && Number.isFinite(step))) break;
  }
  return best;
}
