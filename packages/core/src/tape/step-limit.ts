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
export async function stableStep(simulation: CompiledRun): Promise<StableStep> {
  const { compiled, dt } = simulation;
  const { model, layout, executor } = compiled;
  let most = { rate: 0, element: 'nothing', world: 0 };
  for (const key of model.stepLimits) {
    const field = model.field(key);
    const place = layout.derived(field);
    const { elements, worlds, components } = place.shape;
    const words = await executor.readF32(place.offset, elements * worlds * components);
    const rates = new Float64Array(words.length);
    fromWords(place.shape, words, 0, rates, 0);
    rates.forEach((rate, k) => {
      if (rate <= most.rate) return;
      most = {
        rate,
        element: describeElement(model, field.domain, k % elements),
        world: Math.floor(k / elements),
      };
    });
  }
  return { dt: 1 / most.rate, ownDt: dt, element: most.element, world: most.world };
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
  return (
    `The substep of ${ownDt.toPrecision(3)} s is above the largest stable one, about ${dt.toPrecision(3)} s, which ` +
    `${element}${worlds > 1 ? ` of world ${world}` : ''} sets: the motion may grow without bound. ` +
    `Take ${enough} or more substeps a frame instead of ${substeps}, or less stiffness or damping, or more mass there.`
  );
}
