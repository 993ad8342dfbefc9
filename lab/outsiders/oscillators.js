// Oscillators on a row, hardening and coupled, by leapfrog and by velocity Verlet: both of order 2, with bounded energy.
import assert from 'node:assert/strict';
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  fieldOn,
  index,
  kernel,
  perWorld,
  reference,
  select,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';

const Oscillator = defineComponent('oscillators', {
  displacement: column(f32, { unit: 'm' }),
  velocity: column(f32, { default: 0, unit: 'm/s' }),
  mass: column(f32, { default: 1, unit: 'kg', range: 'positive' }),
  stiffness: column(f32, { default: 4, unit: 'N/m', range: 'nonNegative' }),
  hardening: column(f32, { default: 0, unit: 'N/m^3' }),
});
const Coupling = defineComponent('couplings', {
  ends: reference('oscillators', 2),
  stiffness: column(f32, { unit: 'N/m', range: 'nonNegative' }),
});

const restore = kernel(
  'restore',
  {
    domain: 'oscillators',
    reads: { displacement: f32, stiffness: f32, hardening: f32 },
    adds: { force: f32 },
  },
  ({ displacement: x, stiffness, hardening, force }) => force.add(x.mul(stiffness.add(x.mul(x).mul(hardening))).neg()),
);
const couple = kernel(
  'couple',
  {
    domain: 'couplings',
    reads: { ends: index('oscillators', 2), displacement: fieldOn('oscillators', f32), stiffness: f32 },
    adds: { force: fieldOn('oscillators', f32) },
  },
  ({ ends: [i, j], displacement, stiffness, force }) => {
    const pull = displacement.at(j).sub(displacement.at(i)).mul(stiffness);
    force.add(i, pull);
    force.add(j, pull.neg());
  },
);

/** Leapfrog: half of the drift (x += v dt) before the forces; after them the kick (v += a dt) and the other half. */
const drift = kernel(
  'drift',
  {
    domain: 'oscillators',
    reads: { displacement: f32, velocity: f32 },
    writes: { displacement: f32 },
  },
  ({ displacement, velocity }, { dt }) => ({ displacement: displacement.add(velocity.mul(dt).mul(0.5)) }),
);
const kick = kernel(
  'kick',
  {
    domain: 'oscillators',
    reads: { displacement: f32, velocity: f32, mass: f32, force: f32 },
    writes: { displacement: f32, velocity: f32 },
  },
  ({ displacement, velocity, mass, force }, { dt }) => {
    const v = velocity.add(force.div(mass).mul(dt));
    return { velocity: v, displacement: displacement.add(v.mul(dt).mul(0.5)) };
  },
);

/** Velocity Verlet in two stages: half of the kick and the drift; then the other half, with the forces at the end. */
const verlet = kernel(
  'verlet',
  {
    domain: 'oscillators',
    reads: { displacement: f32, velocity: f32, mass: f32, force: f32 },
    writes: { displacement: f32, velocity: f32 },
  },
  ({ displacement, velocity, mass, force }, { dt, round }) => {
    const v = velocity.add(force.div(mass).mul(dt).mul(0.5));
    return {
      velocity: v,
      displacement: select(round.eq(0), displacement.add(v.mul(dt)), displacement),
    };
  },
);

const energyOfOscillator = kernel(
  'energyOfOscillator',
  {
    domain: 'oscillators',
    reads: { displacement: f32, velocity: f32, mass: f32, stiffness: f32, hardening: f32 },
    adds: { energy: perWorld(f32) },
  },
  ({ displacement: x, velocity: v, mass, stiffness, hardening, energy }) => {
    const x2 = x.mul(x);
    energy.add(
      v
        .mul(v)
        .mul(mass)
        .add(x2.mul(stiffness.add(x2.mul(hardening).mul(0.5))))
        .mul(0.5),
    );
  },
);
const energyOfCoupling = kernel(
  'energyOfCoupling',
  {
    domain: 'couplings',
    reads: { ends: index('oscillators', 2), displacement: fieldOn('oscillators', f32), stiffness: f32 },
    adds: { energy: perWorld(f32) },
  },
  ({ ends: [i, j], displacement, stiffness, energy }) => {
    const d = displacement.at(j).sub(displacement.at(i));
    energy.add(d.mul(d).mul(stiffness).mul(0.5));
  },
);

/** @param {'leapfrog' | 'Verlet'} method */
const oscillators = (method) =>
  definePlugin({
    name: 'oscillators',
    contract: 1,
    components: [Oscillator, Coupling],
    build: ({ model }) => {
      if (method === 'leapfrog') {
        model.addPass('control', drift);
        model.addPass('integrate', kick);
      } else {
        model.addStages(2);
        model.addPass('stage', verlet);
      }
      model.addPass('force', restore);
      model.addPass('force', couple);
      model.addPass('observe', energyOfOscillator);
      model.addPass('observe', energyOfCoupling);
    },
  });

/** @param {'leapfrog' | 'Verlet'} method */
function row(method) {
  const scene = createScene([oscillators(method)]);
  const row = [0.7, -0.3, 0.5, 0.1].map((displacement, k) =>
    scene.add(Oscillator, { displacement, velocity: 0.2 * k, mass: 1 + 0.3 * k, hardening: 0.5 }),
  );
  for (let k = 1; k < row.length; k++) scene.add(Coupling, { ends: [row[k - 1], row[k]], stiffness: 1 + 0.5 * k });
  return buildModel(scene);
}

/**
 * Returns the final displacements of the oscillators, and the energy of every frame.
 * @param {import('@gradsim/core').Model} model
 * @param {{ frames: number, frameRate: number, substeps: number }} over
 */
async function run(model, over) {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    ...over,
    record: ['world.energy'],
  });
  simulation.forward();
  const energy = await simulation.readFrames('world.energy');
  const end = await simulation.read('oscillators.displacement');
  simulation.dispose();
  return { end, energy };
}
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const distance = (a, b) => Math.hypot(...Array.from(a, (x, i) => x - b[i]));

/** @type {Record<string, unknown>} */
const found = {};
let worstGradient = 0;
for (const method of /** @type {const} */ (['leapfrog', 'Verlet'])) {
  // One oscillator by itself has a closed form: x = x0 cos(w t), w^2 = k / m.
  const scene = createScene([oscillators(method)]);
  scene.add(Oscillator, { displacement: 1, stiffness: 9, mass: 4 });
  const alone = buildModel(scene);
  const errors = [];
  for (const substeps of [10, 20]) {
    const { end } = await run(alone, { frames: 11, frameRate: 5, substeps });
    errors.push(Math.abs(end[0] - Math.cos(1.5 * 2)));
  }
  const orderAlone = Math.log2(errors[0] / errors[1]);

  // The row has none: differences of runs with twice, four times the substeps.
  const model = row(method);
  const ends = [];
  for (const substeps of [10, 20, 40]) ends.push((await run(model, { frames: 11, frameRate: 5, substeps })).end);
  const order = Math.log2(distance(ends[0], ends[1]) / distance(ends[1], ends[2]));
  for (const p of [orderAlone, order]) assert(Math.abs(p - 2) < 0.02, `${method} is of order ${p}.`);

  // 200 s, some 75 periods: the energy swings about its start and goes nowhere.
  const long = { frames: 201, frameRate: 1, substeps: 20 };
  const { energy } = await run(model, long);
  const off = Array.from(energy, (e) => Math.abs(e / energy[0] - 1));
  const worst = Math.max(...off);
  assert(worst < 5e-3, `With ${method} the energy is off by ${worst}.`);
  assert(Math.max(...off.slice(100)) < 1.2 * Math.max(...off.slice(0, 100)), 'The energy drifts.');

  const { parameters } = await checkGradients(model, {
    ...long,
    parameters: [
      'oscillators.displacement',
      'oscillators.velocity',
      'oscillators.mass',
      'oscillators.stiffness',
      'oscillators.hardening',
      'couplings.stiffness',
    ],
    outputs: ['oscillators.displacement', 'oscillators.velocity', 'world.energy'],
    seed: 1,
  });
  const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));
  found[method] = { order, energyError: worst };
  worstGradient = Math.max(worstGradient, gradientError);
}
const seconds = performance.now() / 1000;
console.log(JSON.stringify({ program: 'oscillators', gradientError: worstGradient, ...found, seconds }));
