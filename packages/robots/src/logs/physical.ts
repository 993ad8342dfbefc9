import { bodyOfLogCholesky, logCholeskyOf } from '@gradsim/articulated';
import { dot, levenbergMarquardt, sumOfProducts } from '@gradsim/base';
import type { Masses } from '../masses.ts';
import { MASSLESS } from '../masses.ts';
import type { Robot } from '../robot.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS } from './regressor.ts';

/** Standard deviation of what is believed before the data, as a natural logarithm: a factor of twenty. */
const PRIOR_DEVIATION = 3;
/** Step of the difference quotients of a body's parameters. */
const STEP = 1e-4;
/** Searches for the nearest physical robot, at most, and the gain of one, in squared standard deviations, that ends them. */
const [SEARCHES, GAIN] = [12, 1e-3];
/** Initial values of coefficients of which the file has none, as a part of the torque's size. */
const INITIAL = { armature: 1e-5, damping: 1e-2, dryFriction: 1e-2, loadFriction: 1e-2 } as const;

/** Parameters of a robot's links and joints as one vector, in the order of the regressor's columns. */
export const parametersOf = (bodies: readonly Masses[], joints: readonly (readonly number[])[]): number[] => [
  ...bodies.flatMap(({ mass, centre: c, inertia }) => {
    const about = (i: number, j: number): number =>
      inertia[3 * i + j] + mass * ((i === j ? dot(c, c) : 0) - c[i] * c[j]);
    const tensor = [about(0, 0), about(1, 1), about(2, 2), about(0, 1), about(0, 2), about(1, 2)];
    return [mass, mass * c[0], mass * c[1], mass * c[2], ...tensor];
  }),
  ...joints.flat(),
];

/** Parameters of a robot as its links have them; without load friction, which links have not. */
export const parametersOfRobot = ({ links }: Robot): number[] =>
  parametersOf(
    links.map(({ values }) => values),
    links
      .filter(({ values }) => values.joint !== 'fixed')
      .map(({ values: { armature = 0, damping = 0, dryFriction = 0 } }) => [armature, damping, dryFriction, 0]),
  );

/** A physical robot: mass properties of links, and coefficients of joints with an axis, in `JOINT_PARAMETERS` order. */
export interface PhysicalRobot {
  readonly bodies: readonly Masses[];
  readonly joints: readonly (readonly number[])[];
}

/** Residuals `rows` times the parameters less `right`. */
export interface LinearResiduals {
  readonly rows: readonly Float64Array[];
  readonly right: readonly number[];
}

/** Prior of a physical robot. */
export interface PhysicalModel {
  /** Typical torque, N m, which sets the size of coefficients of which the file has none. */
  readonly torque: number;
  readonly hasLoad: boolean;
  /** Robot that the search begins with. Default: the model. */
  readonly start?: PhysicalRobot;
  /** Robot that what data do not determine stays near. Default: the one of the file. */
  readonly model?: PhysicalRobot;
  /**
   * Gain of a step, in squared standard deviations, that ends the search, for a robot that need not be the nearest one.
   * Default: the search goes on along narrow valleys.
   */
  readonly sufficientGain?: number;
}

/**
 * Finds the physical robot nearest to what data say: every body has a positive definite pseudo-inertia, by its
 * log-Cholesky factors, and every coefficient of a joint is positive. What data do not determine stays near the model.
 * @param residuals linear in the parameters, in standard deviations.
 */
export function nearestPhysical(
  robot: Robot,
  residuals: LinearResiduals,
  { torque, hasLoad, start, model = modelOf(robot, torque), sufficientGain }: PhysicalModel,
): PhysicalRobot {
  const begin = start ?? model;
  const factors = model.bodies.map((body) => (body.mass > 0 ? logCholeskyOf(thick(body)) : undefined));
  const extents = factors.map((of) => (of ? Math.max(...of.spread.map(Math.exp), ...of.massCentre.map(Math.abs)) : 0));
  const perJoint = hasLoad ? JOINT_PARAMETERS.length : JOINT_PARAMETERS.length - 1;
  const flat = ({ bodies, joints }: PhysicalRobot): number[] => [
    ...bodies.flatMap((body, k) => {
      if (!factors[k]) return [];
      const { logScale, spread, shear, massCentre } = logCholeskyOf(thick(body));
      return [logScale, ...spread, ...[...shear, ...massCentre].map((x) => x / extents[k])];
    }),
    ...joints.flatMap((own) => own.slice(0, perJoint).map(Math.log)),
  ];
  const bodyOf = (k: number, own: readonly number[]): Masses => {
    const lengths = own.slice(4).map((x) => x * extents[k]);
    const factors = {
      logScale: own[0],
      spread: own.slice(1, 4),
      shear: lengths.slice(0, 3),
      massCentre: lengths.slice(3),
    };
    const { centre, ...body } = bodyOfLogCholesky(factors);
    return { ...body, centre: [centre[0], centre[1], centre[2]] };
  };
  const firsts = factors.map((_, k) => LINK_PARAMETERS.length * factors.slice(0, k).filter((of) => of).length);
  const ofJoints = LINK_PARAMETERS.length * factors.filter((of) => of).length;
  const ofBody = (u: readonly number[], k: number): readonly number[] =>
    u.slice(firsts[k], firsts[k] + LINK_PARAMETERS.length);
  const robotOf = (u: readonly number[]): PhysicalRobot => ({
    bodies: factors.map((of, k) => (of ? bodyOf(k, ofBody(u, k)) : MASSLESS)),
    joints: model.joints.map((_, j) => {
      const own = u.slice(ofJoints + perJoint * j, ofJoints + perJoint * (j + 1)).map(Math.exp);
      return hasLoad ? own : [...own, 0];
    }),
  });
  const parametersAt = (u: readonly number[]): number[] => {
    const { bodies, joints } = robotOf(u);
    return parametersOf(bodies, joints);
  };
  const { rows, right } = residuals;
  const prior = flat(model);
  const data = {
    unknowns: prior.map((_, k) => k),
    residuals: (u: readonly number[]) => {
      const x = parametersAt(u);
      return rows.map((row, i) => sumOfProducts(row, x) - right[i]);
    },
    derivatives: (u: readonly number[]) => [
      ...factors.flatMap((of, k) => {
        if (!of) return [];
        const own = ofBody(u, k);
        return own.map((_, i) => {
          const at = (by: number): number[] =>
            parametersOf(
              [
                bodyOf(
                  k,
                  own.map((x, c) => (c === i ? x + by : x)),
                ),
              ],
              [],
            );
          const [above, below] = [at(STEP), at(-STEP)];
          const first = LINK_PARAMETERS.length * k;
          return rows.map((row) =>
            above.reduce((sum, x, p) => sum + (row[first + p] * (x - below[p])) / (2 * STEP), 0),
          );
        });
      }),
      ...model.joints.flatMap((_, j) =>
        Array.from({ length: perJoint }, (__, p) => {
          const column = LINK_PARAMETERS.length * factors.length + JOINT_PARAMETERS.length * j + p;
          const value = Math.exp(u[ofJoints + perJoint * j + p]);
          return rows.map((row) => row[column] * value);
        }),
      ),
    ],
  };
  const blocks = [
    data,
    ...prior.map((x, k) => ({
      unknowns: [k],
      residuals: (u: readonly number[]) => [(u[k] - x) / PRIOR_DEVIATION],
      derivatives: () => [[1 / PRIOR_DEVIATION]],
    })),
  ];
  const scales = prior.map(() => 1);
  let found = levenbergMarquardt(blocks, flat(begin), scales, sufficientGain);
  // Valleys are narrow where data say much, so that a search may end on its way.
  for (let search = 1; sufficientGain === undefined && search < SEARCHES; search++) {
    const next = levenbergMarquardt(blocks, found.values, scales);
    const gain = found.squares - next.squares;
    found = next;
    if (gain < GAIN) break;
  }
  return robotOf(found.values);
}

/**
 * Draws a robot around another one: masses, extents along the axes of a body, and coefficients of joints up to a factor of
 * e^range larger or smaller, centres of mass up to `range` of a body's extent away. Bodies stay physical.
 * @param isDrawn false for links that are left as they are.
 */
export function drawnAround(
  { bodies, joints }: PhysicalRobot,
  range: number,
  random: () => number,
  isDrawn: (link: number) => boolean,
): PhysicalRobot {
  const apart = (): number => range * (2 * random() - 1);
  return {
    bodies: bodies.map((body, k) => {
      if (!(body.mass > 0) || !isDrawn(k)) return body;
      const { logScale, spread, shear, massCentre } = logCholeskyOf(thick(body));
      const extent = Math.exp(Math.max(...spread));
      const { mass, centre, inertia } = bodyOfLogCholesky({
        logScale: logScale + apart() / 2,
        spread: spread.map((x) => x + apart()),
        shear,
        massCentre: massCentre.map((x) => x + extent * apart()),
      });
      return { mass, centre: [centre[0], centre[1], centre[2]], inertia };
    }),
    joints: joints.map((own) => own.map((x) => x * Math.exp(apart()))),
  };
}

function modelOf({ links }: Robot, torque: number): PhysicalRobot {
  const bodies = links.map(({ values: { mass, centre, inertia } }) => ({ mass, centre, inertia }));
  const joints = links
    .filter(({ values }) => values.joint !== 'fixed')
    .map(({ values }) => [
      values.armature || INITIAL.armature * torque,
      values.damping || INITIAL.damping * torque,
      values.dryFriction || INITIAL.dryFriction * torque,
      INITIAL.loadFriction,
    ]);
  return { bodies, joints };
}

/** Gives a point, a rod or a plate a thickness of a hundredth of its extent, so that its logarithms are finite. */
function thick(body: Masses): Masses {
  const { mass, centre, inertia } = body;
  try {
    logCholeskyOf(body);
    return body;
  } catch {
    const extent = Math.max(Math.sqrt((inertia[0] + inertia[4] + inertia[8]) / mass), Math.hypot(...centre), 0.01);
    const more = mass * (0.05 * extent) ** 2;
    return { mass, centre, inertia: inertia.map((x, k) => (k % 4 === 0 ? x + more : x)) };
  }
}
