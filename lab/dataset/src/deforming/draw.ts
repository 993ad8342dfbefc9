import { anyColor, type Color } from '../looks.ts';
import { drawPicture } from '../picture.ts';
import { between, oneOf, type Random, randomRotation } from '../random.ts';
import { type ClothScene, SOFT_SHAPES, type SoftScene } from './scene.ts';

const logBetween = (random: Random, low: number, high: number): number => low * (high / low) ** random();

/** Draws the parameters that soft bodies and cloths share. */
function drawThrow(random: Random, size: number) {
  const draw = ([low, high]: readonly [number, number]): number => between(random, low, high);
  const whole = draw([0.7, 1.1]);
  const bright = anyColor(random);
  const dark = bright.map((value) => (value > 0.5 ? value - 0.45 : value + 0.45));
  const colors: readonly [Color, Color] = [bright, [dark[0], dark[1], dark[2]]];
  return {
    scale: [0, 1, 2].map(() => whole * draw([0.8, 1.25])),
    position: [draw([-1.2, -0.3]), draw([0.9, 1.4]), draw([-0.3, 0.3])],
    orientation: randomRotation(random),
    velocity: [draw([0.3, 1.8]), draw([-1, 0.8]), draw([-0.5, 0.5])],
    angularVelocity: [draw([-2, 2]), draw([-2, 2]), draw([-2, 2])],
    colors,
    ...drawPicture(random, size),
  };
}

/** Draws a scene of a soft body, except its number of substeps. */
export function drawSoft(random: Random, size: number): Omit<SoftScene, 'substeps'> {
  return {
    kind: 'soft',
    shape: oneOf(random, SOFT_SHAPES),
    density: between(random, 2, 12),
    elasticity: {
      mu: logBetween(random, 300, 3000),
      lambda: logBetween(random, 300, 3000),
      damping: between(random, 0.1, 2),
    },
    material: {
      ke: between(random, 50, 500),
      kd: between(random, 0.1, 1),
      kf: between(random, 0.5, 5),
      mu: between(random, 0.2, 1),
    },
    ...drawThrow(random, size),
  };
}

/** Draws a scene of a cloth, except its number of substeps. */
export function drawCloth(random: Random, size: number): Omit<ClothScene, 'substeps'> {
  return {
    kind: 'cloth',
    shape: 'sheet',
    density: between(random, 0.2, 1),
    elasticity: {
      mu: logBetween(random, 30, 300),
      lambda: logBetween(random, 30, 300),
      damping: between(random, 0.01, 0.1),
    },
    bendStiffness: logBetween(random, 1e-3, 1e-2),
    drag: between(random, 0.3, 2),
    lift: between(random, 0.3, 2),
    material: {
      ke: between(random, 10, 60),
      kd: between(random, 0.01, 0.05),
      kf: between(random, 0.05, 0.3),
      mu: between(random, 0.2, 1),
    },
    ...drawThrow(random, size),
  };
}
