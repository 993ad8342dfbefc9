// A membrane of cells, held at its rim and loaded in its middle, whose springs break where they are stretched too far.
import {
  createSimulation,
  f32,
  f64Device,
  field,
  fieldOn,
  index,
  kernel,
  Model,
  norm,
  select,
  vec3,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';

const SIDE = 9;
const SPACING = 0.1;
const cell = (/** @type {number} */ row, /** @type {number} */ column) => row * SIDE + column;
const places = Array.from({ length: SIDE ** 2 }, (_, k) => [Math.floor(k / SIDE), k % SIDE]);
const springs = places.flatMap(([row, column]) => [
  ...(column < SIDE - 1 ? [[cell(row, column), cell(row, column + 1)]] : []),
  ...(row < SIDE - 1 ? [[cell(row, column), cell(row + 1, column)]] : []),
]);
const [stiffness, damping, strength] = Object.entries({ stiffness: 'N/m', damping: 'kg/s', strength: '' }).map(
  ([name, unit]) => field('world', name, f32, { unit }),
);
const position = field('cells', 'position', vec3, { unit: 'm' });
const velocity = field('cells', 'velocity', vec3, { unit: 'm/s' });
const [mass, load, free] = ['mass', 'load', 'free'].map((name) => field('cells', name, f32));
const force = field('cells', 'force', vec3, { unit: 'N' });
/** 1 while a spring holds, 0 once it is broken. */
const whole = field('springs', 'whole', f32);

const model = new Model();
model.addDomain('cells', SIDE ** 2);
model.addDomain('springs', springs.length);
model.addIndex('springs', 'ends', 'cells', 2, springs.flat());
const pull = kernel(
  'pull',
  {
    domain: 'springs',
    reads: {
      ends: index('cells', 2),
      position: fieldOn(position),
      velocity: fieldOn(velocity),
      whole,
      stiffness,
      damping,
      strength,
    },
    adds: { force: fieldOn(force) },
    writes: { whole },
  },
  ({ ends: [i, j], position, velocity, whole, stiffness, damping, strength, force }) => {
    const d = position.at(j).sub(position.at(i));
    const length = norm(d);
    const stretch = length.div(SPACING).sub(1);
    const holds = select(stretch.gt(strength), 0, whole);
    const rate = velocity.at(j).sub(velocity.at(i)).mul(damping);
    const f = d.div(length).mul(stretch.mul(SPACING).mul(stiffness)).add(rate).mul(holds);
    force.add(i, f);
    force.add(j, f.neg());
    return { whole: holds };
  },
);
const move = kernel(
  'move',
  { domain: 'cells', reads: { position, velocity, force, mass, load, free }, writes: { position, velocity } },
  ({ position, velocity, force, mass, load, free }, { dt }) => {
    const all = force.sub(vec3(0, 0, 1).mul(load)).div(mass);
    const next = velocity.add(all.mul(dt)).mul(free);
    return { velocity: next, position: position.add(next.mul(dt)) };
  },
);
const isRim = (/** @type {number} */ k) => k === 0 || k === SIDE - 1;
const middle = (SIDE - 1) / 2;
model.addField(position, { values: places.flatMap(([row, column]) => [row * SPACING, column * SPACING, 0]) });
model.addField(velocity, { fill: 0 });
model.addField(mass, { fill: 0.01 });
model.addField(load, { values: places.map(([r, c]) => 2 * Math.exp(-((r - middle) ** 2) - (c - middle) ** 2)) });
model.addField(free, { values: places.map(([row, column]) => (isRim(row) || isRim(column) ? 0 : 1)) });
model.addField(whole, { fill: 1 });
model.addField(stiffness, { fill: 40 });
model.addField(damping, { fill: 0.02 });
model.addField(strength, { fill: 0.3 });
model.addPass('force', pull);
model.addPass('integrate', move);

const simulation = await createSimulation(model, { device: f64Device(), frames: 6, frameRate: 50, substeps: 20 });
simulation.forward();
const broken = (await simulation.read(whole)).filter((holds) => holds === 0).length;
if (broken === 0 || broken === springs.length) throw new Error(`${broken} of ${springs.length} springs broke.`);
simulation.dispose();

const run = {
  frames: 6,
  frameRate: 50,
  substeps: 20,
  parameters: [stiffness, damping, mass, load],
  outputs: [position, velocity],
};
const { parameters } = await checkGradients(model, { ...run, seed: 1 });
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'membrane', gradientError, seconds: performance.now() / 1000 }));
