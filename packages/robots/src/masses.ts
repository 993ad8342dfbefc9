import { add, dot, rotate, scale, subtract, type Vector } from '@gradsim/base';
import type { Pose } from './pose.ts';
import { turnTensor } from './pose.ts';

/** Mass properties: mass, kg; centre of mass, m; inertia tensor about the centre of mass, row by row, kg m^2. */
export interface Masses {
  readonly mass: number;
  readonly centre: Vector;
  readonly inertia: readonly number[];
}

export const MASSLESS: Masses = { mass: 0, centre: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0] };

export const diagonal = (x: number, y: number, z: number): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];

/**
 * Transforms mass properties from a frame's own axes to those of its parent, given the pose of the frame in the parent.
 */
export const massesInParent = ({ position, orientation }: Pose, { mass, centre, inertia }: Masses): Masses => ({
  mass,
  centre: add(position, rotate(orientation, centre)),
  inertia: turnTensor(orientation, inertia),
});

/** Sums the mass properties of parts given in common axes, by the parallel axis theorem. */
export function sumOfMasses(parts: readonly Masses[]): Masses {
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  if (mass === 0) return MASSLESS;
  const first = parts.reduce<Vector>((sum, part) => add(sum, scale(part.centre, part.mass)), [0, 0, 0]);
  const centre = scale(first, 1 / mass);
  const inertia = Array.from({ length: 9 }, (_, k) =>
    parts.reduce((sum, part) => {
      const d = subtract(part.centre, centre);
      const [i, j] = [Math.floor(k / 3), k % 3];
      return sum + part.inertia[k] + part.mass * ((i === j ? dot(d, d) : 0) - d[i] * d[j]);
    }, 0),
  );
  return { mass, centre, inertia };
}
