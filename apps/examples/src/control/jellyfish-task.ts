import { addCloth, cloth, Hinge } from '@gradsim/cloth';
import { controller, sinusoidInput, weightsOf } from '@gradsim/control';
import { buildModel, createScene, definePlugin, f32, field, kernel } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { findHinges } from '@gradsim/mesh';
import type { GoalSpec, Loss } from '@gradsim/optim';
import { lossOf } from '@gradsim/optim';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { bellMesh, ringOf } from './bell-mesh.ts';
import type { ControlTask, TaskOptions } from './task.ts';

/** Number of substeps per second. */
const RATE = 960;
/** Number of frames per second. */
const FRAME_RATE = 30;
/** Simulated time, s. */
const SECONDS = 3;
/** Mass of a particle, kg. */
const MASS = 1;
/** Rise of the bell at which the goal counts as reached, m: half of its width. */
const GOAL_RISE = 1;

/** Control task of the jellyfish's bell, whose goal is a rise instead of a picture. */
export interface JellyfishTask extends Pick<ControlTask, 'model' | 'arrays' | 'film'> {
  readonly loss: Loss;
  readonly goal: GoalSpec;
}

/** Fields of totals over all particles: `momentum`, momentum along y, kg m/s, and `moment`, mass times height, kg m. */
const momentum = field('world', 'momentum', f32, { unit: 'kg m/s' });
const moment = field('world', 'moment', f32, { unit: 'kg m' });

const sumMomentum = kernel(
  'momentumOfAll',
  {
    domain: Particle,
    reads: { position: Particle.position, velocity: Particle.velocity, mass: Particle.mass },
    adds: { momentum, moment },
  },
  ({ position, velocity, mass, ...sums }) => {
    sums.momentum.add(velocity.y.mul(mass));
    sums.moment.add(position.y.mul(mass));
  },
);

/**
 * Plugin that computes, in every frame, `world.momentum` along y (kg m/s) and `world.moment`, mass times height (kg m).
 */
const momentumAlongY = definePlugin({
  name: 'along-y',
  contract: 1,
  requires: ['@gradsim/particles'],
  build: ({ model }) => {
    model.addField(momentum, { fill: 0 });
    model.addField(moment, { fill: 0 });
    model.addPass('observe', sumMomentum);
  },
});

/**
 * Control task of a neutrally buoyant bell in water that should swim upwards. The rest angles of its hinges are
 * actuated, and lift propels it. The loss is the mean over frames of its downward momentum; with that of the last frame
 * only, the controller would learn a single kick at the end.
 */
export function jellyfishTask({ seed, size }: TaskOptions): JellyfishTask {
  const mesh = bellMesh();
  const scene = createScene([
    particles(),
    cloth(),
    momentumAlongY,
    controller({
      name: 'pulse',
      inputs: [sinusoidInput({ frequency: 2 * Math.PI, count: 8 })],
      bias: false,
      weightDeviation: 0.05,
      seed,
      drives: [{ field: Hinge.actuation, scale: 0.3, groups: groupsOf(mesh) }],
    }),
    render({ width: size, height: size }),
    softRas({ sigma: (1.5 / size) ** 2, compositing: 'coverage', near: 1, far: 30 }),
  ]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  addCloth(scene, mesh, {
    mu: 3000,
    lambda: 3000,
    damping: 10,
    mass: MASS,
    lift: 1000,
    bendStiffness: 300,
    bendDamping: 1,
  });
  scene.add(OrbitCamera, {
    distance: 6,
    elevation: 0.2,
    azimuth: 0,
    fieldOfView: Math.PI / 3,
    target: [0, 1, 0],
  });
  scene.add(DirectionalLight, { direction: [0.4, 1, 0.6], color: [0.7, 0.7, 0.7] });
  const model = buildModel(scene);
  const total = MASS * (mesh.positions.length / 3);
  return {
    model,
    arrays: weightsOf(model, 'pulse'),
    film: { frames: 1 + SECONDS * FRAME_RATE, frameRate: FRAME_RATE, substeps: RATE / FRAME_RATE },
    loss: lossOf({
      name: 'momentum downwards',
      recordedFields: { momentum },
      evaluate: ({ momentum: all }) => ({
        value: -all.reduce((sum, p) => sum + p, 0) / all.length,
        gradient: { momentum: all.map(() => -1 / all.length) },
      }),
    }),
    goal: {
      field: moment,
      distance: (moments) => Math.max(0, GOAL_RISE - riseOf(moments, total)),
      within: 0,
      unit: 'm',
    },
  };
}

/** Group index of each hinge: hinges between the same rings have the same actuation, like muscles around the bell. */
function groupsOf(mesh: TriangleMesh): number[] {
  const hinges = Array.from(findHinges(mesh), ringOf);
  const keys = Array.from({ length: hinges.length / 4 }, (_, k) =>
    hinges
      .slice(4 * k, 4 * k + 4)
      .sort((a, b) => a - b)
      .join(' '),
  );
  const groups = [...new Set(keys)];
  return keys.map((key) => groups.indexOf(key));
}

/**
 * Rise of the centre of mass from the first frame to the last, m, from `moment` by frame, kg m, and the total mass, kg.
 */
const riseOf = (moment: Float64Array, total: number): number => (moment[moment.length - 1] - moment[0]) / total;
