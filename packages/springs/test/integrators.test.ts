// Integrators of other plugins: particles are moved by a plugin that knows nothing of springs, with several force
// evaluations per substep.
import {
  buildModel,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  f64Device,
  kernel,
  perWorld,
  select,
  vec3,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { addParticles, Gravity, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';

const start = kernel(
  'startStages',
  {
    domain: 'particles',
    reads: { position: vec3, velocity: vec3 },
    writes: { x0: vec3, v0: vec3, dx: vec3, dv: vec3 },
  },
  ({ position, velocity }) => ({ x0: position, v0: velocity, dx: vec3(0, 0, 0), dv: vec3(0, 0, 0) }),
);

/** Kernel of one stage of the classical Runge-Kutta method, for x' = v, v' = g + f / m. */
const rungeKuttaStage = kernel(
  'rungeKuttaStage',
  {
    domain: 'particles',
    reads: {
      velocity: vec3,
      force: vec3,
      inverseMass: f32,
      gravity: perWorld(vec3),
      x0: vec3,
      v0: vec3,
      dx: vec3,
      dv: vec3,
    },
    writes: { position: vec3, velocity: vec3, dx: vec3, dv: vec3 },
  },
  (s, { dt, round }) => {
    const acceleration = s.gravity.add(s.force.mul(s.inverseMass));
    const weight = select(round.eq(0).or(round.eq(3)), f32(1 / 6), 1 / 3).mul(dt);
    const dx = s.dx.add(s.velocity.mul(weight));
    const dv = s.dv.add(acceleration.mul(weight));
    const ahead = select(round.eq(2), f32(1), 0.5).mul(dt);
    const isLast = round.eq(3);
    return {
      position: s.x0.add(select(isLast, dx, s.velocity.mul(ahead))),
      velocity: s.v0.add(select(isLast, dv, acceleration.mul(ahead))),
      dx,
      dv,
    };
  },
);

const rungeKutta = definePlugin({
  name: 'runge-kutta',
  contract: 1,
  build: ({ model }) => {
    model.addStages(4);
    model.addPass('control', start);
    model.addPass('stage', rungeKuttaStage);
  },
});

/** Kernel of one stage of velocity Verlet: half a kick, a drift, forces, half a kick. */
const verletStage = kernel(
  'verletStage',
  {
    domain: 'particles',
    reads: { position: vec3, velocity: vec3, force: vec3, inverseMass: f32, gravity: perWorld(vec3) },
    writes: { position: vec3, velocity: vec3 },
  },
  (s, { dt, round }) => {
    const kicked = s.velocity.add(s.gravity.add(s.force.mul(s.inverseMass)).mul(dt).div(2));
    return { velocity: kicked, position: select(round.eq(0), s.position.add(kicked.mul(dt)), s.position) };
  },
);

const verlet = definePlugin({
  name: 'velocity-verlet',
  contract: 1,
  build: ({ model }) => {
    model.addStages(2);
    model.addPass('stage', verletStage);
  },
});

const [STIFFNESS, MASS, STRETCH] = [3, 0.2, 0.1];

/** Two particles on a spring without damping: their distance is 1 m + s cos(w t), with w^2 = 2 k / m. */
function oscillator(plugin: typeof verlet, isFirst = false) {
  const own = [particles({ integrator: 'none' }), springs()];
  const scene = createScene(isFirst ? [plugin, ...own] : [...own, plugin]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const ends = addParticles(scene, [0, 0, 0, 1 + STRETCH, 0, 0], { mass: MASS });
  scene.add(Spring, { ends, stiffness: STIFFNESS, damping: 0, restLength: 1 });
  return buildModel(scene);
}

async function error(plugin: typeof verlet, substeps: number): Promise<number> {
  const run = { device: f64Device(), frames: 2, frameRate: 1, substeps };
  const simulation = await createSimulation(oscillator(plugin), run);
  simulation.forward();
  const x = await simulation.read('particles.position');
  return Math.abs(x[3] - x[0] - (1 + STRETCH * Math.cos(Math.sqrt((2 * STIFFNESS) / MASS))));
}

describe.each([
  ['Runge-Kutta', rungeKutta, 4],
  ['velocity Verlet', verlet, 2],
] as const)('%s, the integrator of another plugin,', (_, plugin, order) => {
  it('converges at its order: 4 for Runge-Kutta, 2 for velocity Verlet', async () => {
    const [coarse, fine] = [await error(plugin, 32), await error(plugin, 64)];
    expect(Math.log2(coarse / fine)).toBeGreaterThan(order - 0.2);
    expect(Math.log2(coarse / fine)).toBeLessThan(order + 0.4);
  });
  it('has derivatives that agree with differences, in any order of registration of plugins', async () => {
    for (const isFirst of [false, true])
      await checkGradients(oscillator(plugin, isFirst), {
        frames: 3,
        frameRate: 20,
        substeps: 2,
        parameters: ['springs.stiffness', 'particles.mass', 'particles.velocity'],
        outputs: ['particles.position', 'particles.velocity'],
      });
  });
});

describe('an integrator', () => {
  it('from one plugin is refused beside that of another', () => {
    expect(() => buildModel(createScene([particles({ integrator: 'none' }), rungeKutta, verlet]))).toThrowCode({
      code: 'core/two-integrators',
      values: [4, 2],
    });
  });
  it('from a plugin is refused beside the built-in one of particles', async () => {
    const scene = createScene([particles(), verlet]);
    addParticles(scene, [0, 0, 0], { mass: 1 });
    await expect(
      createSimulation(buildModel(scene), { device: f64Device(), frames: 2, frameRate: 1, substeps: 1 }),
    ).rejects.toThrowCode({
      code: 'core/two-writers',
      field: 'particles.position',
      values: ['moveParticle', 'gradsim/particles', 'verletStage'],
    });
  });
});
