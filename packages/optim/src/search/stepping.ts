import type { Descent } from './descent.ts';
import type { Optimizer } from './optimizers.ts';

/** Steps in a row without gain after which there is none: a momentum method may climb for a while. */
const CALM_STEPS = 30;

/**
 * A descent by steps of fixed rule, as those of Adam. Where the loss is not finite it goes back to the best point and on
 * from there with half the step size.
 *
 * @param make the rule, with its step size multiplied by what it is given.
 * @param tolerance ends where many steps in a row gain less than this, relatively.
 * @param keep brings a point back to where it may be.
 */
export function stepping(
  start: Float64Array,
  make: (share: number) => Optimizer,
  tolerance: number,
  keep: (point: Float64Array) => Float64Array = (point) => point,
): Descent {
  let point = start;
  let best: { point: Float64Array; loss: number; gradient: ArrayLike<number> } | null = null;
  let share = 1;
  let calm = 0;
  let optimizer = make(share);
  return {
    get point() {
      return point;
    },
    get isDone() {
      return calm >= CALM_STEPS;
    },
    tell(loss, gradient) {
      if (!Number.isFinite(loss)) {
        calm = best ? calm + 1 : CALM_STEPS;
        if (!best) return;
        share /= 2;
        optimizer = make(share);
        point = keep(optimizer.step(best.point, best.gradient));
        return;
      }
      const gained = best ? best.loss - loss : Number.POSITIVE_INFINITY;
      calm = gained <= tolerance * Math.abs(loss) ? calm + 1 : 0;
      if (gained > 0) best = { point, loss, gradient: Float64Array.from(gradient) };
      point = keep(optimizer.step(point, gradient));
    },
  };
}
