import type { Minimiser } from './minimiser.ts';
import type { Optimizer } from './optimizers.ts';

/**
 * Number of consecutive steps without gain that end the descent; large, since a method with momentum may climb for a
 * while.
 */
const STALLED_STEPS = 30;

/**
 * A descent by steps of a fixed rule, such as Adam's. If the loss is not finite, it returns to the best point and
 * continues with half the step size.
 *
 * @param make creates the rule with its step size multiplied by the argument.
 * @param tolerance relative decrease of the loss; `CALM_STEPS` consecutive steps with less end the descent.
 * @param keep clamps a point to its limits.
 */
export function stepping(
  start: Float64Array,
  make: (share: number) => Optimizer,
  tolerance: number,
  keep: (point: Float64Array) => Float64Array = (point) => point,
): Minimiser {
  let point = start;
  let best: { point: Float64Array; loss: number; gradient: ArrayLike<number> } | null = null;
  let share = 1;
  let stalled = 0;
  let optimizer = make(share);
  return {
    get point() {
      return point;
    },
    get isDone() {
      return stalled >= STALLED_STEPS;
    },
    acceptEvaluation(loss, gradient) {
      if (!Number.isFinite(loss)) {
        stalled = best ? stalled + 1 : STALLED_STEPS;
        if (!best) return;
        share /= 2;
        optimizer = make(share);
        point = keep(optimizer.step(best.point, best.gradient));
        return;
      }
      const gained = best ? best.loss - loss : Number.POSITIVE_INFINITY;
      stalled = gained <= tolerance * Math.abs(loss) ? stalled + 1 : 0;
      if (gained > 0) best = { point, loss, gradient: Float64Array.from(gradient) };
      point = keep(optimizer.step(point, gradient));
    },
  };
}
