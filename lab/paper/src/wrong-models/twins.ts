import { cross, rotate, type Vector } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { type RigidScene, SOFT_SHAPES, type SoftScene, sceneMass, stableSubstepsOf } from '@gradsim/dataset';
import { randomNumbers } from '@gradsim/optim';

/** A rigid and a soft body of the same shape, thrown in the same way. */
export interface ShapeTwins {
  readonly rigid: RigidScene;
  readonly soft: SoftScene;
}

/** Shape as one that can be filled with tetrahedra; undefined if it cannot. */
const softShapeOf = ({ shape }: RigidScene): SoftScene['shape'] | undefined =>
  SOFT_SHAPES.find((each) => each === shape);

/** Returns whether an object can have a soft twin. */
export const hasTwin = (scene: Pick<RigidScene, 'shape'>): boolean => SOFT_SHAPES.some((each) => each === scene.shape);

/**
 * Makes a rigid and a soft twin of a dataset object. Elasticity and contact material are drawn like those of the
 * dataset's soft bodies, since contact as stiff as that of rigid bodies is unstable on light particles. The impulse
 * acts at the centre of mass.
 */
export async function twinsOf(object: RigidScene, sample: number, device: Device): Promise<ShapeTwins> {
  const shape = softShapeOf(object);
  if (!shape) throw new Error(`A ${object.shape} has no soft twin.`);
  const random = randomNumbers(11_000 + sample);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const logBetween = (low: number, high: number): number => low * (high / low) ** random();
  const elasticity = { mu: logBetween(300, 3000), lambda: logBetween(300, 3000), damping: between(0.1, 2) };
  const material = { ke: between(50, 500), kd: between(0.1, 1), kf: between(0.5, 5), mu: between(0.2, 1) };
  const rigid: RigidScene = { ...object, material, impulsePoint: [0, 0, 0] };
  const { scale, density, orientation, angularVelocity, impulse, light, background, camera, size } = object;
  const [qx, qy, qz, qw] = orientation;
  // The mesh's origin, which a soft body is placed by, seen from the centre of mass.
  const origin = rotate([qx, qy, qz, qw], vectorOf(sceneMass(object).centerOfMass.map((x) => -x)));
  const turning = cross(vectorOf(angularVelocity), origin);
  const soft: SoftScene = {
    kind: 'soft',
    shape,
    scale,
    density,
    elasticity,
    material,
    orientation,
    angularVelocity,
    impulse,
    position: object.position.map((x, axis) => x + origin[axis]),
    velocity: object.velocity.map((v, axis) => v + turning[axis]),
    colors: [
      [1, 1, 1],
      [1, 1, 1],
    ],
    light,
    background,
    camera,
    size,
    substeps: rigid.substeps,
  };
  const substeps = await stableSubstepsOf(soft, device);
  if (substeps === null) throw new Error(`The soft twin of sample ${sample} is stable with no number of substeps.`);
  return { rigid, soft: { ...soft, substeps } };
}

const vectorOf = (values: ArrayLike<number>): Vector => [values[0], values[1], values[2]];
