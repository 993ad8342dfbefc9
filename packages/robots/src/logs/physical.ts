import { bodyOfLogCholesky, logCholeskyOf } from '@gradsim/articulated';
import { dot, levenbergMarquardt } from '@gradsim/base';
import type { Masses } from '../masses.ts';
import { MASSLESS } from '../masses.ts';
import type { Robot } from '../robot.ts';
import { JOINT_PARAMETERS } from './recording.ts';
import { LINK_PARAMETERS } from './regressor.ts';

/** Standard deviation of what is believed before the data, as a natural logarithm: a factor of twenty. */
const WIDE = 3;
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

/**
 * Finds the physical robot nearest to what data say: every body has a positive definite pseudo-inertia, by its
 * log-Cholesky factors, and every coefficient of a joint is positive. What data do not determine stays near the model.
 * @param residuals of parameters, in standard deviations.
 * @param torque typical torque, N m, which sets the size of coefficients of which the file has none.
 */
export function nearestPhysical(
  robot: Robot,
  residuals: (parameters: readonly number[]) => number[],
  { torque, hasLoad, start }: { readonly torque: number; readonly hasLoad: boolean; readonly start?: PhysicalRobot },
): PhysicalRobot {
  const model = modelOf(robot, torque);
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
  const robotOf = (u: readonly number[]): PhysicalRobot => {
    let at = 0;
    const bodies = factors.map((of, k): Masses => {
      if (!of) return MASSLESS;
      const own = u.slice(at, at + 10);
      at += 10;
      const lengths = own.slice(4).map((x) => x * extents[k]);
      const body = bodyOfLogCholesky({
        logScale: own[0],
        spread: own.slice(1, 4),
        shear: lengths.slice(0, 3),
        massCentre: lengths.slice(3),
      });
      return { ...body, centre: [body.centre[0], body.centre[1], body.centre[2]] };
    });
    const joints = model.joints.map((_, j) => {
      const own = u.slice(at + perJoint * j, at + perJoint * (j + 1)).map(Math.exp);
      return hasLoad ? own : [...own, 0];
    });
    return { bodies, joints };
  };
  const prior = flat(model);
  const block = {
    unknowns: prior.map((_, k) => k),
    residuals: (u: readonly number[]) => {
      const { bodies, joints } = robotOf(u);
      return [...residuals(parametersOf(bodies, joints)), ...u.map((x, k) => (x - prior[k]) / WIDE)];
    },
  };
  const scales = prior.map(() => 1);
  let found = levenbergMarquardt([block], flat(begin), scales);
  // Valleys are narrow where data say much, so that a search may end on its way.
  for (let search = 1; search < SEARCHES; search++) {
    const next = levenbergMarquardt([block], found.values, scales);
    const gain = found.squares - next.squares;
    found = next;
    if (gain < GAIN) break;
  }
  return robotOf(found.values);
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

/** Names of all parameters, in the order of the regressor's columns. */
export function parameterNames({ links }: Robot): string[] {
  const label: Readonly<Record<string, string>> = { hx: 'm cx', hy: 'm cy', hz: 'm cz' };
  return [
    ...links.flatMap(({ name }) => LINK_PARAMETERS.map((p) => `${label[p] ?? p} of ${name}`)),
    ...links
      .filter(({ values }) => values.joint !== 'fixed')
      .flatMap(({ jointName }) => JOINT_PARAMETERS.map((p) => `${p} of ${jointName}`)),
  ];
}
