import type { Entity, Scene } from '@gradsim/core';
import { f32, GradsimError, inverse, kernel, min, norm, refuseUnknownChoice, rotateInverse } from '@gradsim/core';
import { memoise, unitOrientation } from '@gradsim/dynamics';
import type { TriangleMesh } from '@gradsim/mesh';
import { massProperties, pointMassProperties } from '@gradsim/mesh';
import { Body } from './body.ts';
import { spinRateOf } from './spin-rate.ts';

/** Properties of a body's mesh that do not depend on density and mass, which can be parameters. */
export interface BodyShape {
  /** Volume of the mesh, m^3; 0 if the mass is given. */
  readonly volume: number;
  /** Inertia over mass, about the centre of mass in body axes, row by row, m^2; 0 if the inertia is given. */
  readonly inertiaPerMass: ArrayLike<number>;
  /**
   * True if `inertiaPerMass` is that of the solid within the mesh; false if the inertia is given or that of point
   * masses.
   */
  readonly isSolid: boolean;
  /** Mesh in body axes from the centre of mass, m. */
  readonly mesh?: TriangleMesh;
}

/**
 * Checks a body and returns the properties of its shape.
 * @throws for an open or degenerate mesh, if neither or both of mass and density are given, and if no inertia follows
 * from what is given.
 */
export function bodyShape(scene: Scene, entity: Entity): BodyShape {
  const who = scene.describe(entity);
  const value = (name: string): number => scene.get(entity, Body, name)[0];
  const mesh = scene.object(entity, Body, 'mesh') as TriangleMesh | undefined;
  const [mass, density] = [value('mass'), value('density')];
  const inertia = scene.get(entity, Body, 'inertia');
  const hasInertia = inertia.some((i) => i !== 0);
  const filling = (scene.object(entity, Body, 'filling') ?? 'solid') as 'solid' | 'points';
  refuseUnknownChoice(`${who}: bodies.filling`, filling, ['solid', 'points']);
  const isPoints = filling === 'points';
  if (mass > 0 && density > 0)
    throw new GradsimError('rigid/mass-and-density', `bodies.mass is ${mass} and bodies.density is ${density}.`, {
      field: 'bodies.mass',
      element: who,
      hint: 'Give one of them.',
    });
  if (mass === 0 && density === 0)
    throw new GradsimError('rigid/no-mass', 'bodies.mass is 0 and bodies.density is 0.', {
      field: 'bodies.mass',
      element: who,
      hint: 'Give one of them.',
    });
  if (!mesh && density > 0)
    throw new GradsimError('rigid/no-volume', `bodies.density is ${density}, and there is no mesh.`, {
      field: 'bodies.density',
      element: who,
      hint: 'Give bodies.mass.',
    });
  if (!mesh && !hasInertia)
    throw new GradsimError('rigid/no-inertia', 'has neither bodies.mesh nor bodies.inertia.', { element: who });
  if (isPoints && density > 0)
    throw new GradsimError('rigid/no-volume', 'point masses need bodies.mass, not bodies.density.', { element: who });
  if (hasInertia) checkInertia(who, inertia);
  if (!mesh) return { volume: 0, inertiaPerMass: new Float64Array(9), isSolid: false };
  const unit = withBodyName(who, () =>
    isPoints ? pointMassProperties(mesh, { mass: 1 }) : massProperties(mesh, { mass: 1 }),
  );
  return {
    volume: density > 0 ? unit.volume : 0,
    inertiaPerMass: hasInertia ? new Float64Array(9) : unit.inertia,
    isSolid: !hasInertia && !isPoints,
    mesh: { ...mesh, positions: mesh.positions.map((x, k) => x - unit.centerOfMass[k % 3]) },
  };
}

/**
 * Returns the inertia over mass of a body about its centre of mass, with the mass and density that its scene has, row
 * by row, m^2.
 */
export function gyrationOf(scene: Scene, entity: Entity): ArrayLike<number> {
  const { volume, inertiaPerMass, isSolid } = bodyShape(scene, entity);
  const inertia = scene.get(entity, Body, 'inertia');
  if (isSolid || !inertia.some((i) => i !== 0)) return inertiaPerMass;
  const value = (name: string): number => scene.get(entity, Body, name)[0];
  const mass = value('mass') + value('density') * volume;
  return Array.from(inertia, (i) => i / mass);
}

function withBodyName<T>(who: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new GradsimError('rigid/mesh-unusable', `bodies.mesh: ${(error as Error).message}`, {
      element: who,
      cause: error,
    });
  }
}

/** Checks that an inertia is symmetric and positive definite, by Sylvester's criterion. */
function checkInertia(who: string, m: ArrayLike<number>): void {
  const symmetric = m[1] === m[3] && m[2] === m[6] && m[5] === m[7];
  const minor2 = m[0] * m[4] - m[1] * m[3];
  const det =
    m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  if (!symmetric || !(m[0] > 0) || !(minor2 > 0) || !(det > 0)) {
    throw new GradsimError('rigid/inertia-not-physical', `bodies.inertia is (${Array.from(m).join(', ')}).`, {
      field: 'bodies.inertia',
      element: who,
      hint: 'It must be symmetric and positive definite.',
    });
  }
}

/**
 * Total mass, the gyration tensor I / m in body axes, and the least rate of substeps for the spin. Runs once; density and mass get their gradients through it.
 * The motion uses I / m because that does not change with the density: with I itself, the derivative with respect to
 * density would be a small difference of large terms.
 */
export const massOfBody = kernel(
  'massOfBody',
  {
    domain: Body,
    reads: {
      density: Body.density,
      volume: Body.volume,
      mass: Body.mass,
      inertiaPerMass: Body.inertiaPerMass,
      inertia: Body.inertia,
      orientation: Body.orientation,
      angularVelocity: Body.angularVelocity,
    },
    writes: {
      totalMass: Body.totalMass,
      gyration: Body.gyration,
      inverseGyration: Body.inverseGyration,
      spinRate: Body.spinRate,
    },
  },
  ({ density, volume, mass, inertiaPerMass, inertia, orientation, angularVelocity }) => {
    const totalMass = density.mul(volume).add(mass);
    const gyration = inertiaPerMass.add(inertia.mul(f32(1).div(totalMass)));
    const inverseGyration = inverse(gyration);
    const spinRate = spinRateOf(rotateInverse(orientation, angularVelocity), gyration, inverseGyration);
    return { totalMass, gyration, inverseGyration, spinRate };
  },
);

/** Limits the substeps of bodies whose gyroscopic term is implicit to a radian of rotation, where that is less strict. */
export const limitImplicitSpin = memoise(() =>
  kernel(
    'limitImplicitSpin',
    {
      domain: Body,
      reads: { spinRate: Body.spinRate, angularVelocity: Body.angularVelocity },
      writes: { spinRate: Body.spinRate },
    },
    ({ spinRate, angularVelocity }) => ({ spinRate: min(spinRate, norm(angularVelocity)) }),
  ),
);

/** Normalises orientations, once per run. */
export const startOrientation = unitOrientation(Body.orientation);
