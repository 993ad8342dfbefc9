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
  /** What it follows from there, by the keys of fields. */
  readonly from: Readonly<Record<string, number>>;
}

/** Of what setup left, the element that needs the most substeps a second. */
export function stableStep({ compiled, dt }: CompiledRun): Question<StableStep> {
  const { model, layout, roles } = compiled;
  const limits = [...model.stepLimits];
  // What nothing makes, as the damping where nothing damps, is nowhere.
  const asked = [...new Set(limits.flat(2))].flatMap((key) => {
    const role = roles.get(key);
    if (role !== 'derived' && role !== 'input') return [];
    const place = layout[role](model.field(key));
    return [{ key, place, count: place.shape.elements * place.shape.worlds * place.shape.components }];
  });
  return {
    asks: asked.map(({ place: { offset }, count }) => ({ arena: 'f32', from: offset, words: count })),
    conclude: (answers) => {
      const values = new Map(
        asked.map(({ key, place, count }, k) => {
          const found = new Float64Array(count);
          fromWords(place.shape, answers[k], 0, found, 0);
          return [key, found];
        }),
      );
      let most = { rate: 0, key: '', at: 0 };
      for (const [key] of limits)
        values.get(key)?.forEach((rate, at) => {
          if (rate > most.rate) most = { rate, key, at };
        });
      const { rate, key, at } = most;
      if (rate === 0) return { dt: 1 / rate, ownDt: dt, element: 'nothing', world: 0, from: {} };
      const { domain } = model.field(key);
      const { elements } = layout.derived(model.field(key)).shape;
      return {
        dt: 1 / rate,
        ownDt: dt,
        world: Math.floor(at / elements),
        element: describeElement(model, domain, at % elements),
        from: Object.fromEntries(
          model.stepLimits.get(key)!.flatMap((one) => {
            const found = values.get(one);
            return found ? [[one, found[found.length > elements ? at : at % elements]]] : [];
          }),
        ),
      };
    },
  };
}

/** Of limits that come from single precision. */
const ROUNDING = 1e-4;

/** What to say of a substep above the stable one; null where it is not. */
export function stepWarning(
  { dt, ownDt, element, world, from }: StableStep,
  { compiled: { model }, substeps, worlds }: Pick<CompiledRun, 'compiled' | 'substeps' | 'worlds'>,
): string | null {
  if (ownDt <= dt * (1 + ROUNDING)) return null;
  const values = Object.entries(from).map(([key, value]) => {
    const { name, unit } = model.field(key);
    return `${name} ${Number(value.toPrecision(3))}${unit ? ` ${unit}` : ''}`;
  });
  const enough = Math.ceil((substeps * ownDt) / dt);
  // As many digits as tell them apart.
  const digits = [3, 4, 5, 6].find((count) => ownDt.toPrecision(count) !== dt.toPrecision(count));
  const [own, stable] = [ownDt, dt].map((step) => step.toPrecision(digits));
  return (
    `The substep of ${own} s is above the largest stable one, about ${stable} s, which ` +
    `${element}${worlds > 1 ? ` of world ${world}` : ''} sets${values.length > 0 ? ` (${values.join(', ')})` : ''}: the motion may grow without bound. ` +
    `Take ${enough} or more substeps a frame instead of ${substeps}, or less stiffness or damping, or more mass there.`
  );
}
