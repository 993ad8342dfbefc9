import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import { RENDERERS } from '@gradsim/examples';
import type { Random } from '@gradsim/examples/scenes/draws';
import { between } from '@gradsim/examples/scenes/draws';
import { ball, DOWNWARD_ORIENTATION, filmedScene, rod } from '@gradsim/examples/scenes/pendula';
import { filmModel } from '@gradsim/film';
import type { Estimate, ParameterSpec } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import type { Case, DrawCase } from './case.ts';

const TIMELINE = { frames: 50, frameRate: 30, substeps: 32 };
/**
 * Maximum initial angle to either side of straight down, rad. The last tenth of pi is excluded, where a rod nearly
 * balances upright on its joint.
 */
const MAX_ANGLE = 0.9 * Math.PI;
/** One full turn, rad. */
const TURN = 2 * Math.PI;
/** Length of the drawn part of a rod, m: short, so that it does not hide the ball. */
const DRAWN_ROD = 0.3;

/** A pendulum of one or two massless rods with a ball of 1 kg at the end of each. */
interface Pendulum {
  /** Length of each rod, m. */
  readonly lengths: readonly number[];
  /** Initial angle of each joint, rad: the first from straight down, the second from the direction of the first rod. */
  readonly angles: readonly number[];
}

const swingNames = ['upper angle', 'lower angle'];

/** Case of a pendulum or double pendulum released at rest: its initial angles are estimated from the film alone. */
export const swingCase =
  (rods: 1 | 2): DrawCase =>
  async (instance, device): Promise<Case> => {
    const random = randomNumbers(1000 * rods + instance);
    const lengths = Array.from({ length: rods }, () => between(random, 0.6, 1.4));
    const angles = lengths.map(() => drawAngle(random));
    const starts = lengths.map(() => drawAngle(random));
    const model = pendulumModel({ lengths, angles });
    const film = await filmModel(model, TIMELINE, { device });
    const specOf = (truth: number, k: number): ParameterSpec => ({
      name: rods === 1 ? 'angle' : swingNames[k],
      field: Link.coordinate,
      elements: [2 * k],
      initial: starts[k],
      range: [-MAX_ANGLE, MAX_ANGLE],
      scale: 0.5,
      unit: 'rad',
      truth,
    });
    const parameters = angles.map(specOf);
    const options = {
      search: { iterations: 60, tolerance: 1e-12, horizons: [0.02, 0.1, 0.3, 1], scan: 255, starts: 4 },
    };
    const { problem } = film.stage(model, { name: 'angles', parameters, options });
    return {
      problem,
      estimate: () => estimate(problem, { device }),
      errors: ({ parameters: found }: Estimate) => ({
        angle: Math.max(...Object.values(found).map((p) => turnBetween(p.estimate, p.truth!))),
      }),
      unknownOf: () => 'angle',
    };
  };

const drawAngle = (random: Random): number => between(random, -MAX_ANGLE, MAX_ANGLE);

/** Absolute difference of two angles, with whole turns removed, rad. */
const turnBetween = (a: number, b: number): number => Math.abs(a - b - TURN * Math.round((a - b) / TURN));

function pendulumModel({ lengths, angles }: Pendulum): Model {
  const reach = lengths.reduce((sum, length) => sum + length, 0);
  const scene = filmedScene([articulated()], { renderer: RENDERERS.softras, size: 48, distance: 3 * reach });
  scene.add(Gravity, { acceleration: [0, -9.81, 0] });
  let holder: { parent?: number; anchor?: readonly number[] } = {};
  lengths.forEach((length, k) => {
    const hinge = { joint: 'revolute', axis: [0, 0, 1], mesh: rod(DRAWN_ROD), coordinate: angles[k] } as const;
    const hung = scene.add(Link, {
      ...hinge,
      ...holder,
      ...(k === 0 ? { restOrientation: DOWNWARD_ORIENTATION } : {}),
    });
    const bob = scene.add(Link, { joint: 'fixed', mass: 1, mesh: ball, parent: hung, anchor: [0, length, 0] });
    holder = { parent: bob };
  });
  return buildModel(scene);
}
