import type { Device } from '@gradsim/core';
import type { Material } from './cube.ts';
import { initialMaterial, MATERIAL, WIDTH } from './cube.ts';
import type { PoseErrors } from './errors.ts';
import type { TossWithFlight } from './foretell.ts';
import { tossPredictorOf } from './foretell.ts';

/** Number of materials tried in a round of the search. */
const TRIED_MATERIALS = 144;
/** Number of best materials kept, of all tried so far. */
const KEPT_MATERIALS = 24;
/** Number of rounds of the search. */
const ROUNDS = 12;
/** Number of materials simulated in one batch of worlds. */
const AT_ONCE = 48;
/** Standard deviations of the first round: of natural logarithms, and of `inset` in m. */
const INITIAL_SPREAD = { mu: 0.3, restitution: 0.4, duration: 0.5, radius: 0.6, inset: 0.003 } as const;
const NAMES = Object.keys(INITIAL_SPREAD) as (keyof Material)[];

/**
 * Searches the material that best predicts tosses from their free flights, by the cross-entropy method (R. Rubinstein
 * 1999): it minimises the mean of position errors in cube widths plus angle errors in rad. Squared errors would be
 * dominated by the few tosses that bounce another way, and derivatives after several impacts are too large to be
 * useful.
 */
export async function learnMaterial(
  device: Device,
  tosses: readonly TossWithFlight[],
  seed: number,
): Promise<Material> {
  const foreteller = await tossPredictorOf(device, tosses, AT_ONCE);
  const normal = normals(seed);
  let middle = coordinatesOf(initialMaterial());
  let spread: readonly number[] = NAMES.map((name) => INITIAL_SPREAD[name]);
  let kept: { readonly at: readonly number[]; readonly off: number }[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const tried = Array.from({ length: TRIED_MATERIALS }, () =>
        coordinatesOf(materialAt(middle.map((c, k) => c + spread[k] * normal()))),
      );
      for (let from = 0; from < TRIED_MATERIALS; from += AT_ONCE) {
        const some = tried.slice(from, from + AT_ONCE);
        const errors = await foreteller.of(some.map(materialAt));
        kept = [...kept, ...some.map((at, k) => ({ at, off: meanPoseError(errors[k]) }))];
      }
      kept = kept.sort((a, b) => a.off - b.off).slice(0, KEPT_MATERIALS);
      const mean = (of: (at: readonly number[]) => number): number =>
        kept.reduce((sum, { at }) => sum + of(at) / KEPT_MATERIALS, 0);
      middle = NAMES.map((_, k) => mean((at) => at[k]));
      spread = NAMES.map((_, k) => Math.sqrt(mean((at) => (at[k] - middle[k]) ** 2)));
    }
  } finally {
    foreteller.dispose();
  }
  return materialAt(middle);
}

const meanPoseError = (errors: readonly PoseErrors[]): number =>
  errors.reduce((sum, { mean, angle }) => sum + mean / WIDTH + (angle * Math.PI) / 180, 0) / errors.length;

/** Coordinates of the search: natural logarithms, except for `inset`, which may be 0. */
const coordinatesOf = (material: Material): number[] =>
  NAMES.map((name) => (name === 'inset' ? material.inset : Math.log(material[name])));

function materialAt(at: readonly number[]): Material {
  const value = (name: keyof Material): number => {
    const own = at[NAMES.indexOf(name)];
    const [low, high] = MATERIAL[name].range;
    return Math.min(Math.max(name === 'inset' ? own : Math.exp(own), low), high);
  };
  return {
    mu: value('mu'),
    restitution: value('restitution'),
    duration: value('duration'),
    radius: value('radius'),
    inset: value('inset'),
  };
}

/**
 * Returns a generator of standard normal numbers: Box and Muller's transform of a linear congruential generator
 * (Numerical Recipes).
 */
function normals(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
