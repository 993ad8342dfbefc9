import { norm, normalize, rowsOf, transform, type Vector } from '@gradsim/base';
import type { BuildContext, Entity, Scene } from '@gradsim/core';
import { bind, f32, field, fieldOn, kernel, max, select } from '@gradsim/core';
import { leastRateOf } from '@gradsim/dynamics';
import type { TreesAtRest } from '../at-rest/dynamics.ts';
import { mobilityOf, treesAtRest } from '../at-rest/dynamics.ts';
import { Actuator } from '../efforts/actuator.ts';
import type { DragFields } from '../implicit/joints.ts';
import { hasAxis } from '../joint.ts';
import { Link, NO_LIMIT } from '../link.ts';
import type { TreeLink } from '../ranks.ts';

/*
 * The largest stable substep of joints. Semi-implicit Euler of M x'' = -C x' - K x, with C explicit, is at the edge of
 * stability where 4 M - 2 dt C - dt^2 K is singular, and damping D that is implicit counts there as C = -D. For one
 * joint that is 1 / dt = (c + sqrt(c^2 + 4 w^2)) / 4, with c = C / m and w^2 = K / m. For a tree, m of a joint is the
 * inertia that it feels with the others free, and the rates of its joints are raised by one factor, with which the
 * largest is that of the whole tree by power iteration: exact in the pose and with the masses, springs and damping of
 * the scene, and near them.
 */

const jointStiffness = field('links', 'jointStiffness', f32);
const jointDamping = field('links', 'jointDamping', f32);
/**
 * Inverse of the inertia that a joint feels, 1 / (kg m^2) or 1 / kg (`mobility`); and the ratio of the largest rate of
 * its tree to its own (`coupling`).
 */
const mobility = field('links', 'jointMobility', f32);
const coupling = field('links', 'jointCoupling', f32);
const rate = field('links', 'leastJointRate', f32, { unit: '1/s' });

const sums = { stiffness: fieldOn(jointStiffness), damping: fieldOn(jointDamping) };

/** Adds the stiffness of joint springs, and that of limits if there are any: beyond a limit a joint is that stiff. */
const springsOfJoints = kernel(
  'springsOfJoints',
  {
    domain: Link,
    reads: {
      stiffness: Link.stiffness,
      lower: Link.lower,
      upper: Link.upper,
      limitStiffness: Link.limitStiffness,
      limitDamping: Link.limitDamping,
    },
    adds: { allStiffness: jointStiffness, allDamping: jointDamping },
  },
  ({ stiffness, lower, upper, limitStiffness, limitDamping, allStiffness, allDamping }) => {
    const isLimited = lower.gt(-NO_LIMIT).or(upper.lt(NO_LIMIT));
    allStiffness.add(stiffness.add(select(isLimited, limitStiffness, f32(0))));
    allDamping.add(select(isLimited, limitDamping, f32(0)));
  },
);

/** Adds damping and the slope of dry friction, which act at the start of a substep. */
const explicitDragOfJoints = kernel(
  'explicitDragOfJoints',
  {
    domain: Link,
    reads: {
      damping: Link.damping,
      dryFriction: Link.dryFriction,
      frictionStiffness: Link.frictionStiffness,
    },
    adds: { allDamping: jointDamping },
  },
  ({ damping, dryFriction, frictionStiffness, allDamping }) => {
    allDamping.add(damping.add(select(dryFriction.gt(0), frictionStiffness, f32(0))));
  },
);

/** Adds damping that acts at the end of a substep, with a negative sign. */
const implicitDragOfJoints = kernel(
  'implicitDragOfJoints',
  { domain: Link, reads: { damping: Link.damping }, adds: { allDamping: jointDamping } },
  ({ damping, allDamping }) => allDamping.add(damping.neg()),
);

/** Adds stiffness and damping of servos: gear^2 times those of the actuator act on its joint. */
const springsOfActuators = kernel(
  'springsOfActuators',
  {
    domain: Actuator,
    reads: {
      link: Actuator.link,
      gear: Actuator.gear,
      servoStiffness: Actuator.stiffness,
      servoDamping: Actuator.damping,
    },
    adds: sums,
  },
  ({ link, gear, servoStiffness, servoDamping, stiffness, damping }) => {
    const square = gear.mul(gear);
    stiffness.add(link, servoStiffness.mul(square));
    damping.add(link, servoDamping.mul(square));
  },
);

const leastRate = kernel(
  'leastJointRate',
  {
    domain: Link,
    reads: { stiffness: jointStiffness, damping: jointDamping, mobility, coupling },
    writes: { rate },
  },
  ({ stiffness, damping, mobility, coupling }) => {
    const least = leastRateOf(damping.mul(mobility), stiffness.mul(mobility));
    return { rate: max(least, f32(0)).mul(coupling) };
  },
);

/** Stiffness of each joint, and its damping at the start (`explicit`) and at the end (`implicit`) of a substep. */
interface Springs {
  readonly stiffness: number[];
  readonly explicit: number[];
  readonly implicit: number[];
}

/** Adds a limit of the stable substep for joints that this package integrates. */
export function addJointRates(
  { scene, model, entities }: BuildContext,
  trees: readonly TreeLink[],
  drag: DragFields,
): void {
  if (!trees.some(({ joint }) => hasAxis(joint) || joint === 'ball')) return;
  const [links, actuators] = [entities(Link), entities(Actuator)];
  const resting = treesAtRest(scene, links, trees);
  const { inverses } = mobilityOf(resting);
  const mobilities = trees.map(({ joint }, k) =>
    hasAxis(joint) ? inverses[k][0] : joint === 'ball' ? largestOf(inverses[k]) : 0,
  );
  const springs = jointSprings(scene, links, actuators, drag.isImplicit);
  model.addField(mobility, { values: mobilities, shared: true });
  model.addField(coupling, { values: treeRateRatios(resting, mobilities, springs), shared: true });
  model.addField(rate);
  model.addPass('setup', springsOfJoints);
  if (drag.explicitParts) model.addPass('setup', bind(explicitDragOfJoints, drag.explicitParts));
  if (drag.implicitDamping) model.addPass('setup', bind(implicitDragOfJoints, drag.implicitDamping));
  if (actuators.length > 0) model.addPass('setup', springsOfActuators);
  model.addPass('setup', leastRate);
  const ofDrag = drag.explicitParts ? [Link.damping, Link.frictionStiffness] : [];
  model.addStepLimit(rate, [Link.stiffness, ...ofDrag]);
}

/** Returns the largest eigenvalue of a symmetric 3 x 3 matrix, by power iteration. */
function largestOf(matrix: readonly number[]): number {
  let v: Vector = [1, 0.7, 0.4];
  let size = 0;
  for (let round = 0; round < 30; round++) {
    const next = transform(rowsOf(matrix), v);
    size = norm(next) / norm(v);
    v = normalize(next);
  }
  return size;
}

function jointSprings(
  scene: Scene,
  links: readonly Entity[],
  actuators: readonly Entity[],
  isImplicit: readonly boolean[],
): Springs {
  const of = (entity: Entity, name: string): number => scene.get(entity, Link, name)[0];
  const isLimited = (link: Entity): boolean => of(link, 'lower') > -NO_LIMIT || of(link, 'upper') < NO_LIMIT;
  const friction = (link: Entity): number => (of(link, 'dryFriction') > 0 ? of(link, 'frictionStiffness') : 0);
  const springs: Springs = {
    stiffness: links.map((link) => of(link, 'stiffness') + (isLimited(link) ? of(link, 'limitStiffness') : 0)),
    explicit: links.map(
      (link, k) =>
        (isImplicit[k] ? 0 : of(link, 'damping') + friction(link)) + (isLimited(link) ? of(link, 'limitDamping') : 0),
    ),
    implicit: links.map((link, k) => (isImplicit[k] ? of(link, 'damping') : 0)),
  };
  for (const actuator of actuators) {
    const k = scene.get(actuator, Actuator, 'link')[0];
    const [gear] = scene.get(actuator, Actuator, 'gear');
    springs.stiffness[links.indexOf(k)] += gear ** 2 * scene.get(actuator, Actuator, 'stiffness')[0];
    springs.explicit[links.indexOf(k)] += gear ** 2 * scene.get(actuator, Actuator, 'damping')[0];
  }
  return springs;
}

/**
 * Returns 1 / dt at the limit of stability, 1/s.
 * @param c explicit minus implicit damping over mass, 1/s.
 * @param square stiffness over mass, 1/s^2.
 */
const rateAt = (c: number, square: number): number => Math.max(c + Math.sqrt(c * c + 4 * square), 0) / 4;

/** Number of updates of the largest stable substep; each starts from the vector that the previous one found. */
const STEP_UPDATES = 4;
/** Number of power iterations per update of the largest stable substep. */
const POWER_ITERATIONS = 25;

/**
 * Returns, by link, the ratio between the largest rate of the link's tree and the largest rate of a single joint of it.
 * The tree's limit is the dt at which the largest eigenvalue of (M + dt D / 2)^-1 (2 dt C + dt^2 K) is 4; each pass
 * finds its vector by power iteration, and dt from its Rayleigh quotients.
 */
function treeRateRatios(resting: TreesAtRest, mobilities: readonly number[], springs: Springs): number[] {
  const { trees, order, motions, armatures } = resting;
  const { stiffness, explicit, implicit } = springs;
  const roots: number[] = [];
  for (const k of order) roots[k] = trees[k].parent < 0 ? k : roots[trees[k].parent];
  const alone = trees.map(() => 0);
  trees.forEach((_, k) => {
    const m = mobilities[k];
    const own = rateAt((explicit[k] - implicit[k]) * m, stiffness[k] * m);
    alone[roots[k]] = Math.max(alone[roots[k]], own);
  });
  if (!alone.some((one) => one > 0)) return trees.map(() => 1);
  const rates = alone.slice();
  let vector = motions.map((own, k) => own.map((_, i) => Math.sin(1 + 1.7 * k + i)));
  for (let pass = 0; pass < STEP_UPDATES; pass++) {
    const dts = roots.map((root) => (rates[root] > 0 ? 1 / rates[root] : 0));
    const { accelerations } = mobilityOf(
      resting,
      armatures.map((armature, k) => armature + (dts[k] * implicit[k]) / 2),
    );
    for (let round = 0; round < POWER_ITERATIONS; round++) {
      const torques = vector.map((own, k) => own.map((x) => (2 * explicit[k] + dts[k] * stiffness[k]) * dts[k] * x));
      const next = accelerations(torques);
      const sums = trees.map(() => ({ mass: 0, damping: 0, stiffness: 0, size: 0 }));
      next.forEach((own, k) => {
        const sum = sums[roots[k]];
        own.forEach((y, i) => {
          sum.mass += y * torques[k][i];
          sum.damping += explicit[k] * y * y;
          sum.stiffness += stiffness[k] * y * y;
          sum.size = Math.max(sum.size, Math.abs(y));
        });
      });
      vector = next.map((own, k) => own.map((y) => y / (sums[roots[k]].size || 1)));
      if (round === POWER_ITERATIONS - 1)
        sums.forEach(({ mass, damping, stiffness }, root) => {
          if (mass > 0) rates[root] = rateAt(damping / mass, stiffness / mass);
        });
    }
  }
  return roots.map((root) => (alone[root] > 0 ? rates[root] / alone[root] : 1));
}
