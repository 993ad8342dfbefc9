import { Random } from '@gradsim/random-programs';
import type { Run, Values } from './run.ts';
import { openRun } from './run.ts';
import type { SceneRecipe } from './scene.ts';
import { drawScene } from './scene.ts';

/**
 * What was found of a derivative: `smooth`, it is that of central differences; `tie`, both one-sided slopes exist and
 * differ, and it lies between them; `several`, slopes of several directions meet, and it lies among those of states
 * beside this one; `jump`, the values jump here, so that there is none; `rough`, differences settle at no step; or it
 * is `wrong`.
 */
export type Verdict = 'smooth' | 'tie' | 'several' | 'jump' | 'rough' | 'wrong';

export interface JudgedParameter {
  readonly parameter: string;
  readonly verdict: Verdict;
  readonly adjoint: number;
  readonly tangent: number;
  /** Slopes ahead and behind, by step, from the largest. */
  readonly slopes: readonly { readonly step: number; readonly ahead: number; readonly behind: number }[];
  /** Derivatives of states beside this one, if they were looked at. */
  readonly beside?: readonly number[];
}

/** Largest relative difference of adjoint and tangent. */
const TRANSPOSE_TOLERANCE = 1e-9;
/** Largest relative difference of the derivative and differences. */
const TOLERANCE = 1e-3;
/** Steps of differences, relative to the values: four at first, then down to where rounding ends them. */
const STEPS = [1e-4, 1e-5, 1e-6, 1e-7] as const;
const SHORT_STEPS = [1e-8, 1e-9] as const;
/** Distance of the states beside, relative to the values, and their number. */
const NEIGHBOUR_OFFSET = 1e-7;
const NEIGHBOUR_STATES = 32;
/** Number of directions of a scene. */
const DIRECTIONS = 6;

/** Judges the derivatives of a scene along random directions: single values, uniform shifts, all values of a field. */
export async function judgeScene(
  recipe: SceneRecipe,
): Promise<{ kind: string; isEven: boolean; judged: JudgedParameter[] }> {
  const drawn = drawScene(recipe);
  const { kind, isEven } = drawn;
  const random = new Random(recipe.seed ^ 0x5ce9e5);
  const run = await openRun(drawn, random.next);
  try {
    const gradient = await run.gradient(new Map(), 0);
    const judged: JudgedParameter[] = [];
    for (let k = 0; k < DIRECTIONS; k++) {
      const direction = drawDirection(run, random);
      if (direction) judged.push(await judge(run, gradient, direction, random));
    }
    return { kind, isEven, judged };
  } finally {
    run.dispose();
  }
}

interface Direction {
  readonly name: string;
  readonly along: Values;
}

/** Number of components of a field's values. */
const widthOf = (key: string): number =>
  /ientation$/.test(key) ? 4 : /gravity$|osition$|elocity$|ranslation$|anchor$|centre$|normal$|size$/.test(key) ? 3 : 1;

function drawDirection(run: Run, random: Random): Direction | null {
  const isState = random.chance(0.65);
  const keys = [...run.starts.keys()].filter((key) => run.states.includes(key) === isState);
  if (keys.length === 0) return null;
  const key = random.pick(keys);
  const start = run.starts.get(key)!;
  const components =
    key === 'world.gravity' || /osition|elocity|ranslation|anchor|centre|normal|size/.test(key) ? 3 : 1;
  const [way, element, axis] = [random.whole(0, 2), random.whole(0, start.length - 1), random.whole(0, components - 1)];
  const along = start.map((x, k) => {
    if (!isState && key !== 'halfSpaces.normal')
      return way === 0 && k !== element ? 0 : x * (way === 2 ? random.next() : 1);
    if (way === 0) return k === element ? 1 : 0;
    if (way === 1) return k % components === axis ? 1 : 0;
    return random.between(-1, 1);
  });
  if (along.every((x) => x === 0)) return null;
  const name = `${key} ${['one', 'shift', 'all'][way]}${way === 0 ? ` ${element}` : way === 1 && components > 1 ? ` ${'xyz'[axis]}` : ''}`;
  return { name, along: new Map([[key, along]]) };
}

const dot = (gradient: Values, along: Values): { sum: number; size: number } => {
  let [sum, size] = [0, 0];
  for (const [key, way] of along)
    way.forEach((d, k) => {
      const term = d * gradient.get(key)![k];
      sum += term;
      size += Math.abs(term);
    });
  return { sum, size };
};

async function judge(run: Run, gradient: Values, { name, along }: Direction, random: Random): Promise<JudgedParameter> {
  const { sum: adjoint, size } = dot(gradient, along);
  const tangent = await run.tangent(along);
  const middle = await run.value(along, 0);
  const slopes: { step: number; ahead: number; behind: number }[] = [];
  const measure = async (step: number): Promise<void> => {
    const [ahead, behind] = [await run.value(along, step), await run.value(along, -step)];
    slopes.push({ step, ahead: (ahead - middle) / step, behind: (middle - behind) / step });
  };
  const result = (verdict: Verdict, beside?: readonly number[]): JudgedParameter => ({
    parameter: name,
    verdict,
    adjoint,
    tangent,
    slopes,
    ...(beside ? { beside } : {}),
  });
  // Rounding of the sum hides differences below.
  const rounding = (step: number): number => (4e-15 * run.size) / step;
  const scale = Math.max(Math.abs(adjoint), 0.1 * size, 1e-6 * run.size);
  if (!(Math.abs(adjoint - tangent) <= TRANSPOSE_TOLERANCE * scale)) return result('wrong');
  for (const step of STEPS) await measure(step);
  const isNear = (a: number, b: number, step: number, tolerance = TOLERANCE): boolean =>
    Math.abs(a - b) <= tolerance * Math.max(scale, Math.abs(a)) + rounding(step);
  const central = slopes.map(({ ahead, behind }) => (ahead + behind) / 2);
  // A plateau: two steps in succession.
  if (central.some((_, k) => k > 0 && [k - 1, k].every((j) => isNear(central[j], adjoint, slopes[j].step))))
    return result('smooth');
  for (const step of SHORT_STEPS) await measure(step);
  const last = slopes.filter(({ step }) => rounding(step) < 0.01 * scale);
  // Slopes of a jump grow as one over the step.
  const jumps = (side: 'ahead' | 'behind'): boolean =>
    last.length > 1 && Math.abs(last[last.length - 1][side]) > 5 * Math.abs(last[last.length - 2][side]);
  const settled = (side: 'ahead' | 'behind'): number | null => {
    if (jumps(side)) return null;
    for (let k = last.length - 1; k > 0; k--)
      if (isNear(last[k][side], last[k - 1][side], last[k].step, 3 * TOLERANCE)) return last[k][side];
    return null;
  };
  const [ahead, behind] = [settled('ahead'), settled('behind')];
  const step = last.at(-1)?.step ?? 1e-7;
  if (ahead !== null && behind !== null) {
    const [low, high] = [Math.min(ahead, behind), Math.max(ahead, behind)];
    const width = TOLERANCE * scale + rounding(step);
    if (adjoint >= low - width && adjoint <= high + width)
      return result(isNear(low, high, step, 3 * TOLERANCE) ? 'smooth' : 'tie');
  }
  const beside = await slopesBeside(run, along, random);
  const known = [...beside, ...(ahead === null ? [] : [ahead]), ...(behind === null ? [] : [behind])];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // The derivative of a run is a product over substeps, each a mean of its own: it lies near the others, not within.
  const slack = high - low + TOLERANCE * scale;
  const isAmong = adjoint >= low - slack && adjoint <= high + slack;
  if (high - low > 2 * TOLERANCE * scale && isAmong) return result('several', beside);
  if (ahead === null || behind === null) {
    const smooth = ahead ?? behind;
    if (smooth !== null && isNear(smooth, adjoint, step, 3 * TOLERANCE)) return result('jump', beside);
    if (jumps('ahead') || jumps('behind')) return result('jump', beside);
    return result(isAmong ? 'rough' : 'wrong', beside);
  }
  return result('wrong', beside);
}

/**
 * Derivatives along the same direction of states that lie beside this one: in turns with each value moved by itself,
 * and each field as a whole.
 */
async function slopesBeside(run: Run, along: Values, random: Random): Promise<number[]> {
  const found: number[] = [];
  for (let k = 0; k < NEIGHBOUR_STATES; k++) {
    const ways = (): number[] => [0, 1, 2, 3].map(() => random.between(-1, 1));
    const aside = new Map(
      run.states.map((key) => {
        const [start, whole] = [run.starts.get(key)!, ways()];
        const period = widthOf(key);
        return [key, start.map((_, j) => (k % 2 ? whole[j % period] : random.between(-1, 1)))];
      }),
    );
    found.push(dot(await run.gradient(aside, NEIGHBOUR_OFFSET), along).sum);
  }
  return found;
}
