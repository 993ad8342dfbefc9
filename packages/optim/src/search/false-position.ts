import type { Along } from './line-search.ts';

/** The search ends after so many trials. */
const TRIALS = 5;
/** A trial goes no further than so many times the last one. */
const LONGER = 3;

/** A step, what is there, and the signed root of what is left to gain: below 0 before the least, above 0 beyond it. */
interface End {
  readonly step: number;
  readonly root: number;
}

/** A step, and what is there. */
type Step<A extends Along> = A & { readonly step: number };

/**
 * Looks along a line for the loss that is known to be attainable: where the root of what is left to gain changes its sign,
 * by false position. It yields steps and is to be told what is there. The slope tells only the side of the least that a
 * step is on, so gradients that are right and of no use for the next substep, as those of long runs with contact, do no
 * harm. Gives the step of the least loss; null where none gains anything.
 *
 * Source: M. Dowell and P. Jarratt, A modified regula falsi method, 1971 (the Illinois algorithm).
 *
 * @param start what is at step 0; its slope is negative and its loss above `attainable`.
 * @param remainder it ends where no more than this share of what there was to gain is left.
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
  let before: End = { step: 0, root: -all };
  let low = before;
  let high = null as End | null;
  let side = 0;
  let step = first;
  for (let trial = 0; trial < TRIALS; trial++) {
    const here: Step<A> = { ...(yield step), step };
    const isThere = Number.isFinite(here.loss);
    if (isThere && here.loss < (best ?? start).loss) best = here;
    if (isThere && gap(here) ** 2 <= remainder * all ** 2) break;
    // Where there is more to gain than at the start, it went too far, whatever the slope.
    const isBeyond = !isThere || here.slope >= 0 || gap(here) >= all;
    if (isBeyond) {
      if (side > 0) low = { ...low, root: low.root / 2 };
      high = { step, root: isThere ? gap(here) : all };
      side = 1;
    } else {
      if (side < 0 && high) high = { ...high, root: high.root / 2 };
      [before, low] = [low, { step, root: -gap(here) }];
      side = -1;
    }
    step = high
      ? low.step + ((high.step - low.step) * -low.root) / (high.root - low.root)
      : Math.min(LONGER * low.step, low.step + ((low.step - before.step) * -low.root) / (low.root - before.root));
    if (!(step > 0 && Number.isFinite(step))) break;
  }
  return best;
}
