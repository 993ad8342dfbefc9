import { cross, dot, norm, rotate, scale, type Vector, vectorOf } from '@gradsim/base';
import type { BuildContext } from '@gradsim/core';
import { f32, field, kernel } from '@gradsim/core';
import { treesAtRest } from '../at-rest/dynamics.ts';
import { poseOf } from '../at-rest/pose.ts';
import { Link } from '../link.ts';
import type { TreeLink } from '../ranks.ts';

/** Least number of substeps a second for the spin that a free joint starts with, 1/s: by the scene, and as the limit. */
const sceneSpinRate = field('links', 'sceneSpinRate', f32, { unit: '1/s' });
const freeSpinRate = field('links', 'freeSpinRate', f32, { unit: '1/s' });

/** Limits of the substep are what setup computes. */
const spinRateOfJoint = kernel(
  'spinRateOfJoint',
  { domain: Link, reads: { rate: sceneSpinRate }, writes: { least: freeSpinRate } },
  ({ rate }) => ({ least: rate }),
);

/** Part by which the energy of free rotation may grow in a second, as of rigid bodies. */
const MAX_ENERGY_GROWTH = 0.05;

/**
 * Lets the spin of free joints limit the largest stable substep: of a free link and all that hangs on it, as one rigid body, by
 * the bound of `spinRateOf` in the rigid bodies' package; of implicit spins to a radian of rotation, where that is less strict.
 */
export function addFreeSpinRates(
  { scene, model, entities }: BuildContext,
  trees: readonly TreeLink[],
  isImplicit: boolean,
): void {
  if (!trees.some(({ joint }) => joint === 'free')) return;
  const links = entities(Link);
  const { inertias, order } = treesAtRest(scene, links, trees);
  const rates = trees.map(() => 0);
  for (const [root, { joint }] of trees.entries()) {
    if (joint !== 'free') continue;
    const whole = new Float64Array(36);
    const own = new Set([root]);
    for (const k of order) {
      if (k !== root && !own.has(trees[k].parent ?? -1)) continue;
      own.add(k);
      inertias[k].forEach((value, i) => {
        whole[i] += value;
      });
    }
    const w = rotate(
      poseOf(scene, links[root]).orientation,
      vectorOf((c) => scene.get(links[root], Link, 'angularVelocity')[c]),
    );
    rates[root] = Math.min(spinRateOf(whole, w), isImplicit ? norm(w) : Number.POSITIVE_INFINITY);
  }
  model.addField(sceneSpinRate, { values: rates, shared: true });
  model.addField(freeSpinRate);
  model.addPass('setup', spinRateOfJoint);
  model.addStepLimit(freeSpinRate, [], isImplicit ? 'a slower spin' : '`articulated({ implicitSpin: true })`');
}

/** Rate for a body of a 6 x 6 inertia about the world's origin, moments before forces, at an angular velocity. */
function spinRateOf(whole: Float64Array, w: Vector): number {
  const mass = whole[21];
  // Moments by accelerations are h x a, with the first moment h: its entries are those of h.
  const h: Vector = [whole[16], whole[5], whole[9]];
  const centre = scale(h, mass > 0 ? 1 / mass : 0);
  const rows = [0, 1, 2].map((i) =>
    vectorOf((j) => whole[6 * i + j] - mass * ((i === j ? dot(centre, centre) : 0) - centre[i] * centre[j])),
  );
  const momentum = vectorOf((i) => dot(rows[i], w));
  const energy = dot(w, momentum);
  if (!(energy > 0)) return 0;
  // Principal moments in closed form (O. K. Smith, 1961).
  const middle = (rows[0][0] + rows[1][1] + rows[2][2]) / 3;
  const off = rows.map((row, i) => vectorOf((j) => row[j] - (i === j ? middle : 0)));
  const spread = Math.sqrt(off.reduce((sum, row) => sum + dot(row, row), 0) / 6);
  if (spread <= 1e-6 * middle) return 0;
  const determinant = dot(off[0], cross(off[1], off[2])) / (2 * spread ** 3);
  const angle = Math.acos(Math.min(1, Math.max(-1, determinant))) / 3;
  const most = middle + 2 * spread * Math.cos(angle);
  const least = middle + 2 * spread * Math.cos(angle + (2 * Math.PI) / 3);
  const mean = dot(momentum, momentum) / energy;
  const width = Math.max(most - mean, 0) * Math.max(mean - least, 0);
  return (energy * width) / (most * least * (3 * middle - most - least)) / MAX_ENERGY_GROWTH;
}
