import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Plugin, Scene, Simulation } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  dot,
  exp,
  f32,
  f64Device,
  field,
  fieldOn,
  kernel,
  repeat,
  select,
  sqrt,
  vec2,
  vec3,
} from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { addSoftBody, fem } from '@gradsim/fem';
import { implicitSteps } from '@gradsim/implicit';
import { chain, tetBox } from '@gradsim/mesh';
import { Gravity, Particle, ParticleDrag, particles } from '@gradsim/particles';
import { addSprings, Spring, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';

const NO_GRAVITY = { acceleration: [0, 0, 0] };

async function run(scene: Scene, steps: number, dt: number, worlds = 1): Promise<Simulation> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / (dt * steps),
    substeps: steps,
    worlds,
  });
  simulation.forward();
  return simulation;
}

/** Builds a model of a weight on a spring along x, tied to a wall and displaced by `x` metres. */
function weight(plugins: readonly Plugin[], options: { k: number; c?: number; x?: number; v?: number }): Scene {
  const { k, c = 0, x = 0, v = 0 } = options;
  const scene = createScene([particles(), springs(), ...plugins]);
  scene.add(Gravity, NO_GRAVITY);
  const wall = scene.add(Particle, { position: [0, 0, 0], fixed: 1 });
  const ball = scene.add(Particle, { position: [1 + x, 0, 0], velocity: [v, 0, 0], mass: 0.5 });
  scene.add(Spring, { ends: [wall, ball], stiffness: k, damping: c, restLength: 1 });
  return scene;
}

/** Velocities after five substeps of 0.1 s in single precision, on the CPU, m/s. */
async function velocitiesInSingle(scene: Scene): Promise<Float64Array> {
  const simulation = await createSimulation(buildModel(scene), {
    device: cpuDevice(),
    frames: 2,
    frameRate: 2,
    substeps: 5,
  });
  simulation.forward();
  return simulation.read('particles.velocity');
}

describe('an implicit step', () => {
  it('moves a weight on a spring as backward Euler does, for substeps far above the explicit limit', async () => {
    // (x, v)' = A (x, v) with A = [[0, 1], [-k/m, -c/m]]: a step is (1 - dt A)^-1.
    for (const [k, c, dt] of [
      [8e4, 20, 0.05],
      [8e7, 0, 0.1],
    ]) {
      const [m, steps] = [0.5, 7];
      let [x, v] = [0.1, -0.3];
      for (let n = 0; n < steps; n++) {
        const next = (v - ((dt * k) / m) * x) / (1 + (dt * c) / m + (dt * dt * k) / m);
        [x, v] = [x + dt * next, next];
      }
      const end = await run(weight([implicitSteps()], { k, c, x: 0.1, v: -0.3 }), steps, dt);
      expect((await end.read('particles.position'))[3] - 1).toBeCloseTo(x, 10);
      expect((await end.read('particles.velocity'))[3]).toBeCloseTo(v, 9);
    }
  });

  it('does so where frames have times of their own', async () => {
    const [k, m, frameTimes] = [8e4, 0.5, [0, 0.05, 0.2, 0.23, 0.6]];
    const model = buildModel(weight([implicitSteps()], { k, x: 0.1, v: -0.3 }));
    const run = await createSimulation(model, { device: f64Device(), frameTimes, substeps: 2 });
    run.forward();
    let [x, v] = [0.1, -0.3];
    for (let n = 0; n < 8; n++) {
      const dt = (frameTimes[(n >> 1) + 1] - frameTimes[n >> 1]) / 2;
      const next = (v - ((dt * k) / m) * x) / (1 + (dt * dt * k) / m);
      [x, v] = [x + dt * next, next];
    }
    expect((await run.read('particles.position'))[3] - 1).toBeCloseTo(x, 10);
    expect((await run.read('particles.velocity'))[3]).toBeCloseTo(v, 9);
  });

  it('of order 2, moves a weight on a spring as two solves of (1 - 1/sqrt(2)) dt do, for such substeps too', async () => {
    const g = 1 - Math.SQRT1_2;
    for (const [k, c, dt] of [
      [8e4, 20, 0.05],
      [8e7, 0, 0.1],
    ]) {
      const [m, steps] = [0.5, 7];
      // (1 - g dt A)^-1.
      const solved = ([x, v]: number[]): number[] => {
        const h = g * dt;
        const next = (v - ((h * k) / m) * x) / (1 + (h * c) / m + (h * h * k) / m);
        return [x + h * next, next];
      };
      let state = [0.1, -0.3];
      for (let n = 0; n < steps; n++) {
        const middle = solved(state);
        state = solved(state.map((s, i) => s + ((1 - g) / g) * (middle[i] - s)));
      }
      const end = await run(weight([implicitSteps({ order: 2 })], { k, c, x: 0.1, v: -0.3 }), steps, dt);
      expect((await end.read('particles.position'))[3] - 1).toBeCloseTo(state[0], 10);
      expect((await end.read('particles.velocity'))[3]).toBeCloseTo(state[1], 9);
    }
  });

  it('has with half the substep half the error at order 1, a quarter at order 2, for springs that rotate and stretch', async () => {
    const thrown = async (order: 1 | 2, steps: number): Promise<Float64Array> => {
      const scene = createScene([particles(), springs(), implicitSteps({ order })]);
      addSprings(scene, chain({ from: [0, 0, 0], to: [0.6, 0.2, 0], segments: 3 }), {
        stiffness: 60,
        damping: 0.1,
        mass: 0.05,
        fixed: [0],
      });
      return (await run(scene, steps, 0.4 / steps)).read('particles.position');
    };
    const exact = await thrown(2, 2560);
    for (const [order, factor] of [
      [1, 2],
      [2, 4],
    ] as const) {
      const [far, near] = [await thrown(order, 80), await thrown(order, 160)].map((x) =>
        Math.hypot(...x.map((value, i) => value - exact[i])),
      );
      console.log(`order ${order}: off by ${far.toExponential(2)}, ${near.toExponential(2)} m`);
      expect(far / near).toBeGreaterThan(0.9 * factor);
      expect(far / near).toBeLessThan(1.1 * factor);
    }
  });

  it('gives v + n dt g in free fall, v / (1 + d dt)^n with linear drag d, and leaves fixed particles at rest', async () => {
    const scene = createScene([particles(), implicitSteps()]);
    scene.add(Particle, { position: [0, 5, 0], velocity: [1, 0, 0], mass: 2 });
    const slow = scene.add(Particle, { position: [1, 5, 0], velocity: [1, 0, 0], mass: 2 });
    scene.add(Particle, { position: [2, 5, 0], velocity: [3, 0, 0], fixed: 1 });
    scene.attach(slow, ParticleDrag, { linearDrag: 4 });
    const end = await run(scene, 5, 0.1);
    const v = await end.read('particles.velocity');
    let fall = 0;
    for (let n = 0; n < 5; n++) fall = (fall - 0.981) / 1.4;
    const expected = [1, -4.905, 0, 1.4 ** -5, fall, 0, 0, 0, 0];
    expected.forEach((value, k) => void expect(v[k]).toBeCloseTo(value, 11));
    expect((await end.read('particles.position')).slice(6)).toEqual(Float64Array.of(2, 5, 0));
  });

  // The apparent size of one particle is rounding, and cannot rotate.
  it('converges in single precision for unconnected particles', async () => {
    const scene = createScene([particles(), implicitSteps()]);
    scene.add(Gravity, NO_GRAVITY);
    for (let k = 0; k < 20; k++) {
      const position = [0.7 * Math.sin(k), 1.3 + 0.1 * Math.cos(k), 0.37 * k];
      const stone = scene.add(Particle, { position, velocity: [1, 0, 0], mass: 0.1 * (k + 1) });
      scene.attach(stone, ParticleDrag, { linearDrag: 4 });
    }
    const v = await velocitiesInSingle(scene);
    for (let k = 0; k < 20; k++) expect(v[3 * k]).toBeCloseTo(1.4 ** -5, 4);
  });

  // The inertia of a grain, cubed, underflows.
  it('converges in single precision for particles of 1e-9 kg, 0.1 mm apart', async () => {
    const scene = createScene([particles(), springs(), implicitSteps()]);
    scene.add(Gravity, NO_GRAVITY);
    const grain = [
      [0, 0, 0],
      [1e-4, 0, 0],
      [0, 1e-4, 0],
    ].map((position) => scene.add(Particle, { position, velocity: [0, 1, 0], mass: 1e-9 }));
    for (const k of [0, 1, 2])
      scene.add(Spring, { ends: [grain[k], grain[(k + 1) % 3]], stiffness: 1e-3, restLength: 1e-4 });
    const v = await velocitiesInSingle(scene);
    for (let k = 0; k < 3; k++) expect(v[3 * k + 1]).toBeCloseTo(1, 4);
  });

  it('brings a chain of stiff springs to its equilibrium, in single precision too', async () => {
    // At rest a spring holds the weight below it: k (l - l0) = m g (n - i), with the last weight half as heavy.
    const [k, m, n] = [1e6, 0.1, 8];
    const scene = createScene([particles(), springs(), implicitSteps()]);
    addSprings(scene, chain({ from: [0, 0, 0], to: [0, -1.6, 0], segments: n }), {
      stiffness: k,
      damping: 10,
      mass: m,
      fixed: [0],
    });
    for (const device of [f64Device(), cpuDevice()]) {
      const options = { device, frames: 2, frameRate: 1 / 20, substeps: 400 };
      const simulation = await createSimulation(buildModel(scene), { ...options, onWarning: fail });
      simulation.forward();
      const x = await simulation.read('particles.position');
      let y = 0;
      for (let i = 1; i <= n; i++) {
        y -= 0.2 + (m * 9.81 * (n - i + 1)) / k;
        expect(Math.abs(x[3 * i + 1] - y)).toBeLessThan(2e-6);
      }
    }
  });

  it('conserves the momentum of a particle and of a wall, moved by another plugin, that it hits', async () => {
    // A stone on a spring hits a wall of given mass from another plugin; the wall is integrated explicitly.
    const scene = createScene([particles(), wall, implicitSteps()]);
    scene.add(Gravity, NO_GRAVITY);
    scene.add(Particle, { position: [0.002, 0, 0], velocity: [-2, 0, 0], mass: 0.5 });
    const end = await run(scene, 6, 1 / 120);
    const v = (await end.read('particles.velocity'))[0];
    const w = (await end.read('world.wallVelocity'))[0];
    expect(Math.abs(v + 2)).toBeGreaterThan(0.5);
    expect(0.5 * v + WALL * w).toBeCloseTo(-1, 11);
  });

  it('in each of several worlds equals a run of its own', async () => {
    const values = [80, 8e5];
    const both = await createSimulation(buildModel(weight([implicitSteps()], { k: 1, x: 0.1 })), {
      device: f64Device(),
      frames: 2,
      frameRate: 10,
      substeps: 5,
      worlds: 2,
      parameters: ['springs.stiffness'],
      outputs: ['particles.position'],
    });
    both.set('springs.stiffness', Float64Array.from(values));
    both.forward();
    const x = await both.read('particles.position');
    for (const [world, k] of values.entries()) {
      const one = await run(weight([implicitSteps()], { k, x: 0.1 }), 5, 0.02);
      expect([...x.slice(6 * world, 6 * world + 6)]).toEqual([...(await one.read('particles.position'))]);
    }
  });
});

/** Mass of the wall, kg. */
const WALL = 3;
const [wallPosition, wallVelocity, wallForce] = ['wallPosition', 'wallVelocity', 'wallForce'].map((name) =>
  field('world', name, f32),
);
/** Plugin of a wall at x < 0 that pushes back by a spring, and that is integrated by semi-implicit Euler. */
const wall = definePlugin({
  name: 'wall',
  contract: 1,
  requires: ['@gradsim/particles'],
  build: ({ model }) => {
    const { position, force } = Particle;
    model.addField(wallPosition, { fill: 0 });
    model.addField(wallVelocity, { fill: 0 });
    model.addPass(
      'force',
      kernel(
        'pushWall',
        { domain: Particle, reads: { position, wallPosition }, adds: { force, wallForce } },
        ({ position, wallPosition, force, wallForce }) => {
          const depth = wallPosition.sub(position.x);
          const push = select(depth.gt(0), depth.mul(1e5), 0);
          force.add(vec3(push, 0, 0));
          wallForce.add(push.neg());
        },
      ),
    );
    model.addPass(
      'integrate',
      kernel(
        'moveWall',
        {
          domain: 'world',
          reads: { wallPosition, wallVelocity, wallForce },
          writes: { wallPosition, wallVelocity },
        },
        (s, { dt }) => {
          const v = s.wallVelocity.add(s.wallForce.mul(dt).div(WALL));
          return { wallVelocity: v, wallPosition: s.wallPosition.add(v.mul(dt)) };
        },
      ),
    );
  },
});

const crowding = field('particles', 'crowding', f32);
/**
 * Third-party force in two kernels: springs push their ends apart, the more the more all springs at these ends are
 * stretched.
 */
const crowd = definePlugin({
  name: 'crowd',
  contract: 1,
  requires: ['@gradsim/particles', '@gradsim/springs'],
  build: ({ model }) => {
    const { position, velocity, force } = Particle;
    const { ends, restLength } = Spring;
    // Added in the wrong order: their data decide which is first.
    model.addPass(
      'force',
      kernel(
        'pushApart',
        {
          domain: Spring,
          reads: { ends, position, velocity, crowding: fieldOn(crowding) },
          adds: { force },
        },
        ({ ends: [i, j], position, velocity, crowding, force }) => {
          const d = position.at(i).sub(position.at(j));
          const u = velocity.at(i).sub(velocity.at(j));
          const f = d.mul(crowding.at(i).add(crowding.at(j)).mul(30)).sub(u.mul(crowding.at(i)));
          force.add(i, f);
          force.add(j, f.neg());
        },
      ),
    );
    model.addPass(
      'force',
      kernel(
        'crowd',
        {
          domain: Spring,
          reads: { ends, position, restLength },
          adds: { crowding: fieldOn(crowding) },
        },
        ({ ends: [i, j], position, restLength, crowding }) => {
          const d = position.at(i).sub(position.at(j));
          const near = exp(dot(d, d).div(restLength.mul(restLength)).neg());
          crowding.add(i, near);
          crowding.add(j, near);
        },
      ),
    );
  },
});

/** Scene of a stiff block of tetrahedra on a chain of springs, with drag, partly on the ground. */
function everything(order: 1 | 2 = 1): Scene {
  const steps = implicitSteps({ order });
  const scene = createScene([particles(), springs(), fem(), contact(), crowd, steps]);
  const { particles: chained } = addSprings(scene, chain({ from: [0, 0.5, 0], to: [0.4, 0.4, 0.1], segments: 3 }), {
    stiffness: [4e4, 1e4, 2e4],
    damping: 3,
    mass: [0.05, 0.06, 0.04, 0.07],
    fixed: [0],
  });
  const block = addSoftBody(scene, tetBox({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1] }), {
    mu: 3e5,
    lambda: 5e5,
    density: 800,
    damping: 40,
    velocity: [0.4, -1, 0.1],
  });
  for (const particle of block.particles) {
    scene.attach(particle, contactOf(Particle), { ke: 3e4, kd: 30, kf: 20, mu: 0.4 });
    scene.attach(particle, ParticleDrag, { quadraticDrag: 0.1 });
  }
  scene.add(Spring, { ends: [chained[3], block.particles[7]], stiffness: 3e4, restLength: 0.5 });
  scene.add(HalfSpace, { offset: -0.105 });
  return scene;
}
const CHECK = {
  frames: 2,
  frameRate: 20,
  substeps: 5,
  parameters: [
    ...['particles.position', 'particles.velocity', 'particles.mass', 'particles.ke', 'particles.mu'],
    ...['springs.stiffness', 'springs.damping', 'springs.restLength', 'tets.mu', 'tets.damping'],
    ...['particles.quadraticDrag', 'world.gravity'],
  ],
  outputs: ['particles.position', 'particles.velocity'],
};

describe('the derivative of implicit steps', () => {
  it('agrees with central differences through springs, tetrahedra, contact, drag and forces in several kernels', () =>
    checkGradients(buildModel(everything()), { ...CHECK, seed: 3 }));

  it('agrees between single and double precision to 1e-2, and states to 1e-3', () =>
    checkDevices(buildModel(everything()), {
      ...CHECK,
      seed: 3,
      devices: [cpuDevice()],
      stateTolerance: 1e-3,
      gradientTolerance: 1e-2,
    }));

  it('agrees with central differences for steps of order 2, and in single precision with doubles', async () => {
    await checkGradients(buildModel(everything(2)), { ...CHECK, seed: 3 });
    await checkDevices(buildModel(everything(2)), {
      ...CHECK,
      seed: 3,
      devices: [cpuDevice()],
      stateTolerance: 1e-3,
      gradientTolerance: 1e-2,
    });
  });
});

const tooShort = field('springs', 'tooShort', vec2);
/** Plugin that raises an alarm if a spring is shorter than half of its rest length. */
const whole = definePlugin({
  name: 'whole',
  contract: 1,
  requires: ['@gradsim/springs'],
  build: ({ model }) => {
    const { ends, restLength } = Spring;
    model.addAlarm(tooShort, ([length], spring) => `${spring} is ${length} m long`);
    model.addPass(
      'force',
      kernel(
        'watch',
        {
          domain: Spring,
          reads: { ends, position: Particle.position, restLength, tooShort },
          writes: { tooShort },
        },
        ({ ends: [i, j], position, restLength, tooShort }, { substep }) => {
          const length = position.at(j).sub(position.at(i)).x;
          const isRaised = length.lt(restLength.mul(0.5)).and(tooShort.x.eq(0));
          return { tooShort: select(isRaised, vec2(substep.toF32().add(1), length), tooShort) };
        },
      ),
    );
  },
});

describe('a state for which a plugin raises an alarm', () => {
  it('does not fail a step that has it only as its initial guess', async () => {
    // The initial guess of the substep, to continue at -60 m/s for 0.05 s, would invert the spring.
    const scene = weight([whole, implicitSteps()], { k: 1e5, v: -60 });
    const x = await (await run(scene, 1, 0.05)).read('particles.position');
    expect(x[3]).toBeCloseTo(1 + (-60 * 0.05) / (1 + (0.05 * 0.05 * 1e5) / 0.5), 10);
  });
  it('is named as the cause if no step that avoids it is found', async () => {
    const end = await run(weight([whole, implicitSteps()], { k: 1, v: -60 }), 1, 0.05);
    await expect(end.read('particles.position')).rejects.toThrowCode({
      code: 'core/alarm',
      values: ['implicitSteps', 'springs.tooShort', 0],
    });
  });
});

describe('implicit steps without a solution, and invalid options,', () => {
  const push = (name: string, f: Parameters<typeof heights>[0]): Plugin =>
    definePlugin({
      name,
      contract: 1,
      requires: ['@gradsim/particles'],
      build: ({ model }) => model.addPass('force', heights(f)),
    });
  const heights = (f: 'jump' | 'root') =>
    kernel(
      `${f}OfHeight`,
      { domain: Particle, reads: { position: Particle.position }, adds: { force: Particle.force } },
      ({ position: { y }, force }) => force.add(vec3(0, f === 'jump' ? select(y.lt(0), f32(50), -50) : sqrt(y), 0)),
    );
  const stone = (plugins: readonly Plugin[], values = {}): Scene => {
    const scene = createScene([particles(), ...plugins]);
    scene.add(Gravity, NO_GRAVITY);
    scene.add(Particle, { position: [0, 0.001, 0], mass: 1, ...values });
    return scene;
  };

  it('end in an error that names the substep: forces that jump at the end of the step', async () => {
    const end = await run(stone([push('jump', 'jump'), implicitSteps()]), 3, 0.1);
    await expect(end.read('particles.position')).rejects.toThrowCode({
      code: 'core/alarm',
      values: ['implicitSteps', 0],
    });
  });
  it('end in an error that names the substep: forces that are not finite', async () => {
    const end = await run(stone([push('root', 'root'), implicitSteps()], { position: [0, -1, 0] }), 3, 0.1);
    await expect(end.read('particles.position')).rejects.toThrowCode({
      code: 'core/alarm',
      values: [0, 'forces on the way to it are not finite'],
    });
  });
  it('end in an error that names the substep: too few Newton steps', async () => {
    const scene = weight([crowd, implicitSteps({ newtonSteps: 2 })], { k: 1e5, x: 0.4, v: 3 });
    await expect((await run(scene, 3, 0.1)).read('particles.position')).rejects.toThrowCode({
      code: 'core/alarm',
      values: [2, 'implicitSteps', 0],
    });
  });
  it('are refused: a tolerance of 0 or below the precision of the device, 1.5 Newton steps; not a tolerance per precision', async () => {
    const model = buildModel(stone([implicitSteps({ tolerance: 1e-8 })]));
    const options = { device: cpuDevice(), frames: 2, frameRate: 10, substeps: 1 };
    await expect(createSimulation(model, options)).rejects.toThrowCode({
      code: 'core/tolerance-too-fine',
      values: ['1e-8', 'implicitSteps', 'single'],
    });
    const both = buildModel(stone([implicitSteps({ tolerance: { f32: 1e-5, f64: 1e-8 } })]));
    for (const device of [cpuDevice(), f64Device()]) {
      const simulation = await createSimulation(both, { ...options, device });
      simulation.forward();
      expect((await simulation.read('particles.position')).every(Number.isFinite)).toBe(true);
    }
    expect(() => implicitSteps({ tolerance: 0 })).toThrowCode({
      code: 'implicit/option-out-of-range',
      field: 'tolerance',
      values: [0, 'implicitSteps'],
    });
    expect(() => implicitSteps({ newtonSteps: 1.5 })).toThrowCode({
      code: 'implicit/option-out-of-range',
      field: 'newtonSteps',
      values: [1.5, 'implicitSteps'],
    });
  });
  it('are refused: a particle without mass, when the model is built and when its mass is set to 0', async () => {
    expect(() => buildModel(stone([implicitSteps()], { mass: 0 }))).toThrowCode({
      code: 'particles/no-mass',
      field: 'particles.mass',
      values: [0],
    });
    const simulation = await createSimulation(buildModel(stone([implicitSteps()])), {
      device: f64Device(),
      frames: 2,
      frameRate: 10,
      substeps: 1,
      parameters: ['particles.mass'],
      outputs: ['particles.position'],
    });
    simulation.set('particles.mass', [0]);
    simulation.forward();
    await expect(simulation.read('particles.position')).rejects.toThrowCode({
      code: 'core/alarm',
      values: ['has a mass of 0 kg, and an implicit step needs one that is positive; give it a mass, or fix it'],
    });
  });
  it('are refused: order 3', () => {
    expect(() => implicitSteps({ order: 3 as 2 })).toThrowCode({
      code: 'implicit/option-out-of-range',
      field: 'order',
      values: [3, 1, 2],
    });
  });

  it('are refused: a scene without particles, and forces from repeated groups of passes', () => {
    expect(() => buildModel(createScene([implicitSteps()]))).toThrowCode({
      code: 'implicit/nothing-to-move',
      field: 'there',
      values: ['implicitSteps'],
    });
    const grouped = definePlugin({
      name: 'grouped',
      contract: 1,
      requires: ['@gradsim/particles'],
      build: ({ model }) => model.addPass('force', repeat(2, [heights('root')], 'twice')),
    });
    expect(() => buildModel(stone([grouped, implicitSteps()]))).toThrowCode({
      code: 'core/not-elsewhere',
      values: ['particles.force', 'twice', 'repeat'],
    });
  });
});

function fail(warning: string): void {
  throw new Error(warning);
}
