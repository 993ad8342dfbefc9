import type { QuerySteps } from '@gradsim/kernel/internal';
import { fromWords } from '@gradsim/kernel/internal';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { GivenNumber } from './given-numbers.ts';
import { givenNumbers } from './given-numbers.ts';

/**
 * Largest substep for which a run should stay bounded, s, and the element that limits it. See `Simulation.stableStep`.
 */
export interface StableStep {
  /** Largest stable substep, s; infinity if nothing limits it. */
  readonly dt: number;
  /** Substep of the simulation, s; the longest, if frames have times of their own. */
  readonly ownDt: number;
  /** Name of the element that limits it, and the index of its world. */
  readonly element: string;
  readonly world: number;
  /** Values of that element on which the limit depends, by field key. */
  readonly from: Readonly<Record<string, number>>;
}

type Steps = Omit<CompiledRun, 'frames'>;

/** Element that needs the most substeps per second, from the results of setup. */
interface Limit {
  readonly stable: StableStep;
  /** Key of the field with the limit, and the index of the element. */
  readonly key: string;
  readonly element: number;
}

export function* stableStep(run: Steps): QuerySteps<StableStep> {
  const limit = yield* limitOf(run);
  return limit?.stable ?? { dt: Number.POSITIVE_INFINITY, ownDt: run.dt, element: 'nothing', world: 0, from: {} };
}

function* limitOf({ compiled, dt }: Steps): QuerySteps<Limit | null> {
  const { model, layout, roles } = compiled;
  const limits = [...model.stepLimits];
  // Fields that nothing computes, such as the damping where nothing damps, are stored nowhere.
  const sources = [...new Set(limits.flatMap(([key, { from }]) => [key, ...from]))].flatMap((key) => {
    const role = roles.get(key);
    if (role !== 'derived' && role !== 'input') return [];
    const place = layout[role](model.field(key));
    return [{ key, place, count: place.shape.elements * place.shape.worlds * place.shape.components }];
  });
  const answers = yield sources.map(({ place: { offset }, count }) => ({ arena: 'f32', from: offset, words: count }));
  const values = new Map(
    sources.map(({ key, place, count }, k) => {
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
  if (rate === 0) return null;
  const { domain } = model.field(key);
  const { elements } = layout.derived(model.field(key)).shape;
  const element = at % elements;
  const from = model.stepLimits.get(key)!.from.flatMap((one) => {
    const found = values.get(one);
    return found ? [[one, found[found.length > elements ? at : element]]] : [];
  });
  const stable = {
    dt: 1 / rate,
    ownDt: dt,
    world: Math.floor(at / elements),
    element: model.describe(domain, element),
    from: Object.fromEntries(from),
  };
  return { stable, key, element };
}

/** Relative margin for the single-precision rounding of limits. */
const LIMIT_MARGIN = 1e-4;

/** Returns whether a substep is above the largest stable one. */
export const isTooLarge = ({ dt, ownDt }: StableStep): boolean => ownDt > dt * (1 + LIMIT_MARGIN);

/** Returns a warning about a substep above the stable one, with the numbers of the scene; null if it is stable. */
export function* stepWarning(run: Steps): QuerySteps<string | null> {
  const limit = yield* limitOf(run);
  if (!limit || !isTooLarge(limit.stable)) return null;
  const { dt, ownDt, element, world, from } = limit.stable;
  const { substeps, worlds, isUneven } = run;
  const { model } = run.compiled;
  const made = Object.entries(from).map(([key, value]) => ({ field: model.field(key), value }));
  const given = yield* givenNumbers(run.compiled, limit.key, limit.element, world);
  const numbers = (given.get(element) ?? (given.size > 0 ? [] : made)).map(formatNumber);
  const others = [...given].flatMap(([other, of]) =>
    other === element ? [] : [`${other} (${of.map(formatNumber).join(', ')})`],
  );
  const enough = Math.ceil((substeps * ownDt) / dt);
  const frameRate = Number((1 / (substeps * ownDt)).toPrecision(4));
  // As many digits as distinguish them.
  const digits = [3, 4, 5, 6].find((count) => ownDt.toPrecision(count) !== dt.toPrecision(count));
  const [own, stable] = [ownDt, dt].map((step) => `${(1000 * step).toPrecision(digits)} ms`);
  return (
    `${substeps} substeps a frame ${isUneven ? `in the longest frame, of ${Number((substeps * ownDt).toPrecision(4))} s,` : `at ${frameRate} frames a second`} make a substep of ${own}, above the largest stable one, about ${stable}, which ` +
    `${element}${worlds > 1 ? ` of world ${world}` : ''} sets${numbers.length > 0 ? ` (${numbers.join(', ')})` : ''}` +
    `${others.length > 0 ? `, with ${others.join(' and ')}` : ''}: the motion may grow without bound. ` +
    `Take ${enough} or more substeps a frame instead of ${substeps}, or ${model.stepLimits.get(limit.key)!.advice}.`
  );
}

const formatNumber = ({ field: { name, unit }, value }: GivenNumber): string =>
  `${name} ${Number(value.toPrecision(3))}${unit ? ` ${unit}` : ''}`;
