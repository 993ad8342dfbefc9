import { signedVolume } from '@gradsim/mesh';
import { drawLook } from '../looks.ts';
import { drawPicture } from '../picture.ts';
import { between, type Random, randomRotation } from '../random.ts';
import { SHAPES, type ShapeName } from '../shapes/shapes.ts';
import type { RigidScene } from './scene.ts';

/** A drawn scene without the number of substeps, which is computed from the scene. */
export type RigidDraw = Omit<RigidScene, 'substeps'>;

/** Ranges from which scenes are drawn uniformly; those of density and material are the paper's. */
export const RANGES = {
  density: [2, 12],
  ke: [1, 500],
  kd: [1, 500],
  kf: [1, 500],
  mu: [0.2, 1],
  /** Range of the scale factor common to all axes, and range of each axis' additional factor, dimensionless. */
  size: [0.7, 1.3],
  stretch: [0.8, 1.25],
  /**
   * Range of the velocity change that the impulse gives the centre of mass, m/s: sideways, upwards, towards the camera.
   */
  impulseSpeed: [
    [0.5, 2.5],
    [-0.5, 2],
    [-0.8, 0.8],
  ],
} as const;

/** Draws a scene with a given shape, except its number of substeps. */
export function drawRigid(random: Random, shape: ShapeName, size: number): RigidDraw {
  const draw = ([low, high]: readonly [number, number]): number => between(random, low, high);
  const within = (...radii: readonly number[]): number[] => radii.map((radius) => draw([-radius, radius]));
  const whole = draw(RANGES.size);
  const scale = [0, 1, 2].map(() => whole * draw(RANGES.stretch));
  const density = draw(RANGES.density);
  const material = { ke: draw(RANGES.ke), kd: draw(RANGES.kd), kf: draw(RANGES.kf), mu: draw(RANGES.mu) };
  const position = [draw([-1.4, -0.4]), draw([0.9, 1.7]), draw([-0.4, 0.4])];
  const orientation = randomRotation(random);
  const velocity = [draw([-0.2, 0.8]), ...within(0.5, 0.4)];
  const angularVelocity = within(2, 2, 2);
  // The impulse is known; in proportion to the mass, so that light and heavy bodies both stay in view.
  const mass = density * signedVolume(SHAPES[shape].mesh) * scale[0] * scale[1] * scale[2];
  const impulse = RANGES.impulseSpeed.map((range) => mass * draw(range));
  const impulsePoint = within(0.1, 0.1, 0.1);
  const look = drawLook(random, SHAPES[shape]);
  return {
    kind: 'rigid',
    shape,
    scale,
    density,
    material,
    position,
    orientation,
    velocity,
    angularVelocity,
    impulse,
    impulsePoint,
    look,
    ...drawPicture(random, size),
  };
}
