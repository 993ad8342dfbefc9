import type { Question } from '@gradsim/kernel/compiler';
import { fromWords } from '@gradsim/kernel/compiler';
import { describeElement } from '../model/model.ts';
import type { CompiledRun } from './compiled-run.ts';

/** The largest substep with which a run should stay bounded, and what sets it. See `Simulation.stableStep`. */
export interface StableStep {
  /** Seconds. Infinity where nothing limits it. */
  readonly dt: number;
  /** The substep that the simulation has, in seconds. */
  readonly ownDt: number;
  /** The element that sets it, and its world. */
  readonly element: string;
  readonly world: number;
}

/** Of what setup left, the element that needs the most substeps a second. */
export function stableStep({ compiled, dt }: CompiledRun): Question<StableStep> {
  const { model, layout } = compiled;
  const limits = model.stepLimits.map((key) => {
    const field = model.field(key);
    const place = layout.derived(field);
    return { field, place, count: place.shape.elements * place.shape.worlds * place.shape.components };
  });
  return {
    asks: limits.map(({ place: { offset }, count }) => ({ arena: 'f32', from: offset, words: count })),
    conclude: (answers) => {
      let most = { rate: 0, element: 'nothing', world: 0 };
      for (const [k, { field, place, count }] of limits.entries()) {
        const { elements } = place.shape;
        const rates = new Float64Array(count);
        fromWords(place.shape, answers[k], 0, rates, 0);
        rates.forEach((rate, at) => {
          if (rate <= most.rate) return;
          const element = describeElement(model, field.domain, at % elements);
          most = { rate, element, world: Math.floor(at / elements) };
        });
      }
      return { dt: 1 / most.rate, ownDt: dt, element: most.element, world: most.world };
    },
  };
}

/** Of limits that come from single precision. */
const ROUNDING = 1e-4;

/** What to say of a substep above the stable one; null where it is not. */
export function stepWarning(
  { dt, ownDt, element, world }: StableStep,
  simulation: CompiledRun,
): string | null {
  if (ownDt <= dt * (1 + ROUNDING)) return null;
  const { substeps, worlds } = simulation;
  const enough = Math.ceil((substeps * ownDt) / dt);
  // As many digits as tell them apart.
  const digits = [3, 4, 5, 6].find((count) => ownDt.toPrecision(count) !== dt.toPrecision(count));
  const [own, stable] = [ownDt, dt].map((step) => step.toPrecision(digits));
  return (
    `The substep of ${own} s is above the largest stable one, about ${stable} s, which ` +
    `${element}${worlds > 1 ? ` of world ${world}` : ''} sets: the motion may grow without bound. ` +
    `Take ${enough} or more substeps a frame instead of ${substeps}, or less stiffness or damping, or more mass there.`
  );
}
