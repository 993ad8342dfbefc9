import { choleskyFactor, randomNumbers, standardNormal, sumOfProducts } from '@gradsim/base';
import type { Robot } from '../robot.ts';
import { baseOf } from './base-parameters.ts';
import { drawnAround, nearestPhysical, type PhysicalModel, type PhysicalRobot, parametersOf } from './physical.ts';
import type { Fit } from './robust-fit.ts';

/** The physical robot nearest to a fit. */
export function physicalOf(
  robot: Robot,
  { base, values, factor, squares, independent }: Fit,
  model: PhysicalModel,
): PhysicalRobot {
  const deviation = Math.sqrt(squares / Math.max(independent - values.length, 1));
  // L^T (B x - values) / deviation, with the normal matrix L L^T.
  const count = base.independent.length + base.dependent.length;
  const rows = values.map((_, i) => {
    const row = new Float64Array(count);
    for (let k = i; k < factor.length; k++) {
      const by = factor[k][i] / deviation;
      row[base.independent[k]] += by;
      for (const [d, p] of base.dependent.entries()) row[p] += by * base.mix[k][d];
    }
    return row;
  });
  const right = values.map(
    (_, i) => factor.reduce((sum, row, k) => (k >= i ? sum + row[i] * values[k] : sum), 0) / deviation,
  );
  return nearestPhysical(robot, { rows, right }, model);
}

/** Options of `Identification.draw`. */
export interface DrawOptions {
  /** Number of robots. */
  readonly count: number;
  /** Default 1. */
  readonly seed?: number;
  /** Part by which what the motion does not determine may differ from the calibrated robot. Default 0.2. */
  readonly range?: number;
}

/** Gain of a step of the search for a drawn robot that ends it, in squared standard deviations. */
const MIN_GAIN = 0.02;
/** Added to the diagonal of a correlation matrix, which few blocks leave singular. */
const RIDGE = 1e-9;

/**
 * Draws robots that the logs allow. Combinations that the motion determines are normal with their covariance; what it does not
 * determine is drawn from a box around the calibrated robot. The physical robot nearest to both is the one returned.
 */
export function drawRobots(
  robot: Robot,
  physical: PhysicalRobot,
  fit: Fit,
  covariance: readonly (readonly number[])[],
  model: PhysicalModel,
  { count, seed = 1, range = 0.2 }: DrawOptions,
): Robot[] {
  const random = randomNumbers(seed);
  const middle = baseOf(fit.base, parametersOf(physical.bodies, physical.joints));
  const errors = covariance.map((row, i) => Math.sqrt(row[i]));
  const correlation = covariance.map((row, i) =>
    row.map((x, k) => (i === k ? 1 + RIDGE : x / (errors[i] * errors[k] || 1))),
  );
  const root = choleskyFactor(correlation) as number[][];
  return Array.from({ length: count }, () => {
    const normal = middle.map(() => standardNormal(random));
    const values = middle.map((x, i) => x + errors[i] * sumOfProducts(root[i], normal));
    const around = drawnAround(physical, range, random, (k) => !isMounted(robot, k));
    return calibratedRobot(
      robot,
      physicalOf(robot, { ...fit, values }, { ...model, start: around, model: around, sufficientGain: MIN_GAIN }),
    );
  });
}

/** True for a link that cannot move against the world. */
function isMounted({ links }: Robot, link: number): boolean {
  for (let k: number | undefined = link; k !== undefined; k = links[k].parent)
    if (links[k].values.joint !== 'fixed') return false;
  return true;
}

/** The robot with the masses and coefficients of a physical one. */
export function calibratedRobot(robot: Robot, { bodies, joints }: PhysicalRobot): Robot {
  let j = 0;
  const links = robot.links.map((link, k) => {
    const { mass, centre, inertia } = bodies[k];
    const body = { mass, centre, inertia };
    if (link.values.joint === 'fixed') return { ...link, values: { ...link.values, ...body } };
    const [armature, damping, dryFriction] = joints[j++];
    return { ...link, values: { ...link.values, ...body, armature, damping, dryFriction } };
  });
  return { ...robot, links };
}
