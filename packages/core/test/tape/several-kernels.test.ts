import { createSimulation, f32, f64Device, kernel, Model, perWorld, sin } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';

// Integrators that move one state in several kernels of a substep: each kernel finds what those before it wrote, and
// so do the adjoints. The oscillator x'' = -x, from x and v.
const state = { domain: 'c', reads: { x: f32, v: f32 } } as const;
const drift = kernel('drift', { ...state, writes: { x: f32 } }, ({ x, v }, { dt }) => ({
  x: x.add(v.mul(dt)),
}));
const kick = kernel('kick', { ...state, writes: { v: f32 } }, ({ x, v }, { dt }) => ({
  v: v.sub(x.mul(dt)),
}));
const halfKick = kernel('halfKick', { ...state, writes: { v: f32 } }, ({ x, v }, { dt }) => ({
  v: v.sub(x.mul(dt).mul(0.5)),
}));
/** Kernel of position Verlet, which stores the previous position; v is computed from both. */
const verlet = kernel(
  'verlet',
  { domain: 'c', reads: { x: f32, before: f32 }, writes: { x: f32, before: f32 } },
  ({ x, before }, { dt }) => ({ x: x.mul(2).sub(before).sub(x.mul(dt).mul(dt)), before: x }),
);
const speed = kernel(
  'speed',
  { domain: 'c', reads: { x: f32, before: f32 }, writes: { v: f32 } },
  ({ x, before }, { dt }) => ({ v: x.sub(before).div(dt) }),
);
const setBack = kernel(
  'setBack',
  { domain: 'c', reads: { x: f32, v: f32 }, writes: { before: f32 } },
  ({ x, v }, { dt }) => ({ before: x.sub(v.mul(dt)) }),
);
const predict = kernel('predict', { ...state, writes: { px: f32, pv: f32 } }, ({ x, v }, { dt }) => ({
  px: x.add(v.mul(dt)),
  pv: v.sub(x.mul(dt)),
}));
const correct = kernel(
  'correct',
  { domain: 'c', reads: { x: f32, v: f32, px: f32, pv: f32 }, writes: { x: f32, v: f32 } },
  ({ x, v, px, pv }, { dt }) => ({
    x: x.add(v.add(pv).mul(dt).mul(0.5)),
    v: v.sub(x.add(px).mul(dt).mul(0.5)),
  }),
);
/** Kernel that sums sin(x) over the whole domain after a move, for the next kernel. */
const total = kernel('total', { domain: 'c', reads: { x: f32 }, adds: { total: perWorld(f32) } }, ({ x, total: sum }) =>
  sum.add(sin(x)),
);
const lean = kernel(
  'lean',
  { domain: 'c', reads: { v: f32, total: perWorld(f32) }, writes: { v: f32 } },
  ({ v, total: sum }, { dt }) => ({ v: v.sub(sum.mul(dt)) }),
);

/** Length of a substep, s. */
const DT = 0.01;
const run = { frames: 2, frameRate: 1, substeps: 100 } as const;

const integrators: Record<string, (model: Model) => void> = {
  'drift, then kick': (model) => {
    model.addPass('integrate', drift);
    model.addPass('integrate', kick);
  },
  'kick, then drift': (model) => {
    model.addPass('integrate', kick);
    model.addPass('integrate', drift);
  },
  leapfrog: (model) => {
    model.addPass('force', halfKick);
    model.addPass('integrate', drift);
    model.addPass('integrate', halfKick);
  },
  Verlet: (model) => {
    model.addField('c', 'before', f32, { fill: 0 });
    model.addPass('setup', setBack);
    model.addPass('integrate', verlet);
    model.addPass('integrate', speed);
  },
  'predictor and corrector': (model) => {
    model.addPass('force', predict);
    model.addPass('integrate', correct);
  },
  'a sum after a move': (model) => {
    model.addPass('control', drift);
    model.addPass('force', total);
    model.addPass('integrate', lean);
  },
};

function oscillators(add: (model: Model) => void): Model {
  const model = new Model();
  model.addDomain('c', 3);
  model.addField('c', 'x', f32, { values: [0, 0.5, -0.3] });
  model.addField('c', 'v', f32, { values: [1, 0.2, 0.4] });
  add(model);
  return model;
}

describe.each(Object.entries(integrators))('a substep of several kernels, %s', (_, add) => {
  it('has gradients that agree with differences', async () => {
    for (const memory of [undefined, 800])
      await checkGradients(oscillators(add), {
        ...run,
        parameters: ['c.x', 'c.v'],
        outputs: ['c.x', 'c.v'],
        memory,
        seed: 5,
      });
  });
});

// x(1) = x cos 1 + v sin 1. An error of first order is at most dt / 2 times the second derivative.
const ofTheOscillator = Object.entries(integrators).filter(([name]) => name !== 'a sum after a move');
describe.each(ofTheOscillator)('%s', (_, add) => {
  it('has x and its derivative by the initial speed within dt / 2 of sin 1 after 1 s', async () => {
    const simulation = await createSimulation(oscillators(add), {
      ...run,
      device: f64Device(),
      parameters: ['c.v'],
      outputs: ['c.x'],
    });
    simulation.forward();
    simulation.backward({ 'c.x': [1, 0, 0] });
    const [x] = await simulation.read('c.x');
    const gradient = await simulation.gradient('c.v');
    expect(Math.abs(x - Math.sin(1))).toBeLessThan(DT / 2);
    expect(Math.abs(gradient[0] - Math.sin(1))).toBeLessThan(DT / 2);
    expect([...gradient.slice(1)]).toEqual([0, 0]);
    simulation.dispose();
  });
});
