import {
  cross,
  dot,
  multiplyQuaternions,
  type Quaternion,
  quaternionOfMatrix,
  scale,
  subtract,
  transpose,
  type Vector,
} from '@gradsim/base';
import type { Element } from '../element.ts';
import type { Pose } from '../pose.ts';
import { fromZ, rotationAboutAxis, UNTURNED, unit } from '../pose.ts';

/** Settings of an MJCF file's `<compiler>`, which define the meaning of other values. */
export interface Compiler {
  /** Radians per unit of the file's angles: pi / 180 for degrees, else 1. */
  readonly angle: number;
  /** Axes of Euler angles, three letters: x, y, z for axes that rotate with the body, X, Y, Z for fixed ones. */
  readonly eulerSequence: string;
  readonly autoLimits: boolean;
  readonly meshFolder: string;
  readonly inertiaFromShapes: 'auto' | 'true' | 'false';
  /** Groups of geoms that masses are computed from: first and last. */
  readonly massGroups: readonly [number, number];
  /** Least mass, kg, and least principal moment of inertia, kg m^2, of each body. */
  readonly leastMass: number;
  readonly leastInertia: number;
  /** True if principal moments of which one is above the sum of the others are all set to their mean. */
  readonly balancesInertia: boolean;
  /** Total mass to which all masses and inertias are scaled, kg; undefined for no scaling. */
  readonly totalMass?: number;
}

export function compilerOf(root: Element): Compiler {
  const elements = root.all('compiler');
  const first = <T>(of: (element: Element) => T | undefined): T | undefined =>
    elements.map(of).findLast((value) => value !== undefined);
  first((element) => element.choice('coordinate', ['local']));
  const eulerSequence = first((element) => element.text('eulerseq')) ?? 'xyz';
  if (!/^[xyzXYZ]{3}$/.test(eulerSequence))
    elements[0].refuse(`has eulerseq="${eulerSequence}", which must be three letters out of xyzXYZ.`);
  return {
    angle: first((element) => element.choice('angle', ['degree', 'radian'])) === 'radian' ? 1 : Math.PI / 180,
    eulerSequence,
    autoLimits: first((element) => element.flag('autolimits')) ?? true,
    meshFolder: first((element) => element.text('meshdir')) ?? first((element) => element.text('assetdir')) ?? '',
    inertiaFromShapes: first((element) => element.choice('inertiafromgeom', ['auto', 'true', 'false'])) ?? 'auto',
    massGroups: (first((element) => element.numbers('inertiagrouprange', 2)) ?? [0, 5]) as [number, number],
    leastMass: first((element) => element.notNegative('boundmass')) ?? 0,
    leastInertia: first((element) => element.notNegative('boundinertia')) ?? 0,
    balancesInertia: first((element) => element.flag('balanceinertia')) ?? false,
    // As in MuJoCo, values not above 0 are ignored.
    totalMass: first((element) => element.number('settotalmass')),
  };
}

const ORIENTATIONS = ['quat', 'axisangle', 'euler', 'xyaxes', 'zaxis'];

export const poseOf = (element: Element, compiler: Compiler): Pose => ({
  position: element.vector('pos') ?? [0, 0, 0],
  orientation: orientationOf(element, compiler),
});

function orientationOf(element: Element, { angle, eulerSequence }: Compiler): Quaternion {
  const refuse = (name: string, must: string): never => element.refuseValue(name, element.text(name) ?? '', must);
  switch (element.firstPresent(...ORIENTATIONS)) {
    case 'quat': {
      const [w, x, y, z] = element.numbers('quat', 4) as number[];
      const length = Math.hypot(w, x, y, z);
      if (length === 0) return refuse('quat', 'a quaternion (w, x, y, z) that is not 0');
      return [x / length, y / length, z / length, w / length];
    }
    case 'axisangle': {
      const [x, y, z, turned] = element.numbers('axisangle', 4) as number[];
      return rotationAboutAxis(
        unit([x, y, z]) ?? refuse('axisangle', 'an axis that has a direction, and an angle'),
        turned * angle,
      );
    }
    case 'euler': {
      const angles = element.vector('euler') as Vector;
      return angles.reduce<Quaternion>((q, value, k) => {
        const letter = eulerSequence[k];
        const axis = [0, 1, 2].map((i) => ('xyz'[i] === letter.toLowerCase() ? 1 : 0));
        const next = rotationAboutAxis(axis as unknown as Vector, value * angle);
        return letter === letter.toLowerCase() ? multiplyQuaternions(q, next) : multiplyQuaternions(next, q);
      }, UNTURNED);
    }
    case 'xyaxes': {
      const [a, b, c, d, e, f] = element.numbers('xyaxes', 6) as number[];
      const x = unit([a, b, c]) ?? refuse('xyaxes', 'two axes that have directions');
      const y =
        unit(subtract([d, e, f], scale(x, dot(x, [d, e, f])))) ?? refuse('xyaxes', 'two axes of two directions');
      return quaternionOfMatrix(transpose([x, y, cross(x, y)]));
    }
    case 'zaxis':
      return fromZ(unit(element.vector('zaxis') as Vector) ?? refuse('zaxis', 'an axis that has a direction'));
    default:
      return UNTURNED;
  }
}
