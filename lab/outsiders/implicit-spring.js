// A hanging chain of stiff springs by backward Euler: x' = x + dt v', m (v' - v) = dt (m g + f(x')), for v'.
import * as gradsim from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';

const { column, computed, dot, f32, field, kernel, norm, reference, sum, vec3 } = gradsim;

const Node = gradsim.defineComponent(
  'nodes',
  {
    position: column(vec3, { unit: 'm' }),
    velocity: column(vec3, { default: 0, unit: 'm/s' }),
    mass: column(f32, { unit: 'kg', range: 'positive' }),
    fixed: column(f32, { default: 0 }),
  },
  {
    /** Velocity v' at the end of the step, and (`imbalance`) the residual of the momentum balance with it. */
    next: computed(vec3, { unit: 'm/s' }),
    imbalance: sum(vec3, { unit: 'N s' }),
    correction: computed(vec3, { unit: 'm/s' }),
  },
);
const Spring = gradsim.defineComponent('springs', {
  ends: reference(Node, 2),
  stiffness: column(f32, { unit: 'N/m', range: 'nonNegative' }),
  restLength: column(f32, { unit: 'm', range: 'positive' }),
});

const gravity = field('world', 'gravity', vec3, { unit: 'm/s^2' });
const left = field('world', 'left', f32);
const { next, imbalance, correction, position, velocity, mass, fixed } = Node;
const { ends, stiffness, restLength } = Spring;

/** Residual of the momentum balance without springs; for a fixed node, whose velocity must be 0, m v'. */
const inertia = kernel(
  'inertia',
  { domain: Node, reads: { next, velocity, mass, fixed, gravity }, adds: { imbalance } },
  ({ next, velocity, mass, fixed, gravity, imbalance }, { dt }) => {
    const given = velocity.add(gravity.mul(dt)).mul(f32(1).sub(fixed));
    imbalance.add(next.sub(given).mul(mass));
  },
);
/** Subtracts the impulse of each spring over the step, with its free ends moved by dt v', from the residual. */
const pull = kernel(
  'pull',
  { domain: Spring, reads: { ends, stiffness, restLength, next, position, fixed }, adds: { imbalance } },
  ({ ends: [i, j], stiffness, restLength, next, position, fixed, imbalance }, { dt }) => {
    const [freeI, freeJ] = [i, j].map((end) => f32(1).sub(fixed.at(end)));
    const motion = next.at(j).mul(freeJ).sub(next.at(i).mul(freeI));
    const d = position.at(j).sub(position.at(i)).add(motion.mul(dt));
    const length = norm(d);
    const impulse = d.mul(stiffness.mul(length.sub(restLength)).div(length)).mul(dt);
    imbalance.add(i, impulse.mul(freeI).neg());
    imbalance.add(j, impulse.mul(freeJ));
  },
);
const measure = kernel('measure', { domain: Node, reads: { imbalance }, adds: { left } }, ({ imbalance, left }) =>
  left.add(dot(imbalance, imbalance)),
);
const correct = kernel(
  'correct',
  { domain: Node, reads: { next, correction }, writes: { next } },
  ({ next, correction }) => ({ next: next.sub(correction) }),
);
const move = kernel(
  'move',
  { domain: Node, reads: { position, next }, writes: { position, velocity } },
  ({ position, next }, { dt }) => ({ position: position.add(next.mul(dt)), velocity: next }),
);

const backwardEuler = gradsim.definePlugin({
  name: 'backward-euler',
  contract: 1,
  components: [Node, Spring],
  build: ({ model }) => {
    // Each step begins with the velocity of the last one.
    model.addField(next);
    model.addField(gravity, { fill: [0, -9.81, 0] });
    const linear = gradsim.conjugateGradients({
      name: 'newton',
      rightSide: imbalance,
      solution: correction,
      product: (from, into) => gradsim.jacobianProduct(imbalance, { along: { [next.key]: from }, into }),
    });
    const until = { field: left, below: { f32: 1e-11, f64: 1e-24 } };
    const newton = gradsim.iterate([inertia, pull, measure, ...linear, correct], { until, maxRounds: 30 });
    const step = gradsim.implicit([newton], {
      unknown: next,
      residual: imbalance,
      equations: [inertia, pull],
      name: 'step',
      symmetric: true,
      tolerance: { f32: 1e-5, f64: 1e-13 },
      residualTolerance: { f32: 1e-5, f64: 1e-11 },
    });
    model.addPass('integrate', step);
    model.addPass('integrate', move);
  },
});

const [k, l0, m, g] = [3000, 0.2, 0.1, 9.81];
/**
 * Model of a chain from the origin in the direction `along`, with springs at their rest lengths.
 * @param {number} springs @param {number[]} along
 */
function chain(springs, along) {
  const scene = gradsim.createScene([backwardEuler]);
  const nodes = Array.from({ length: springs + 1 }, (_, n) =>
    scene.add(Node, { position: along.map((a) => a * l0 * n), mass: m, fixed: n === 0 ? 1 : 0 }),
  );
  for (let n = 0; n < springs; n++) scene.add(Spring, { ends: [nodes[n], nodes[n + 1]], stiffness: k, restLength: l0 });
  return gradsim.buildModel(scene);
}
/** Returns the final heights of the nodes, m. @param {gradsim.Model} model @param {number} steps @param {number} dt */
async function heights(model, steps, dt, device = gradsim.f64Device()) {
  const over = { frames: steps + 1, frameRate: 1 / dt, substeps: 1 };
  const simulation = await gradsim.createSimulation(model, { device, ...over });
  simulation.forward();
  return (await simulation.read(position)).filter((_, i) => i % 3 === 1);
}

// One spring: about its equilibrium, u + i v / w goes to (u + i v / w) / (1 + i w dt) in each step, w^2 = k / m.
const [steps, dt] = [7, 0.004];
const wdt = Math.sqrt(k / m) * dt;
const u = ((m * g) / k) * (1 + wdt ** 2) ** (-steps / 2) * Math.cos(steps * Math.atan(wdt));
const [, end] = await heights(chain(1, [0, -1, 0]), steps, dt);
const stepError = Math.abs(end - (u - l0 - (m * g) / k));
// The same in single precision, to the tolerances for that.
const [, single] = await heights(chain(1, [0, -1, 0]), steps, dt, gradsim.cpuDevice());
// In the end each spring holds what hangs below it; the substep is ten times what an explicit step could be.
const rest = (await heights(chain(8, [0, -1, 0]), 300, 0.12)).map(
  (y, n) => y + n * l0 + ((m * g) / k) * (n * 8 - (n * (n - 1)) / 2),
);
const restError = Math.max(...rest.map(Math.abs));
if (!(stepError < 1e-11 && restError < 1e-9 && Math.abs(single - end) < 1e-5))
  throw new Error(`The step is off by ${stepError} m, the rest by ${restError} m.`);

const { parameters } = await checkGradients(chain(5, [0.8, -0.6, 0]), {
  frames: 5,
  frameRate: 10,
  substeps: 4,
  seed: 1,
  parameters: [stiffness, restLength, mass, position, gravity],
  outputs: [position, velocity],
});
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));
const seconds = performance.now() / 1000;
console.log(JSON.stringify({ program: 'implicit-spring', gradientError, stepError, restError, seconds }));
