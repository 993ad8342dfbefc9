// Grains that are poured on a floor and come to lie in a heap: forces where they touch (Hunt and Crossley 1975), friction
// that a slip approaches, and rolling friction, a torque against the relative spin (Ai et al. 2011, type A).
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  cross,
  defineComponent,
  definePlugin,
  dot,
  f32,
  f64Device,
  field,
  kernel,
  max,
  sqrt,
  vec3,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { neighbours } from '@gradsim/dynamics';

const [RADIUS, MASS] = [0.05, 0.5];
/** Speed, m/s, that friction grows with up to about its limit. */
const CREEP = 0.1;
const Grain = defineComponent('grains', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { unit: 'm/s' }),
  spin: column(vec3, { unit: 'rad/s', default: 0 }),
});
const { position, velocity, spin } = Grain;
const [friction, rolling, stiffness, damping] = Object.entries({
  friction: '',
  rolling: '',
  stiffness: 'N/m',
  damping: 's/m',
}).map(([name, unit]) => field('world', name, f32, { unit }));
const laws = { friction, rolling, stiffness, damping };
const [force, torque] = Object.entries({ force: 'N', torque: 'N m' }).map(([name, unit]) =>
  field('grains', name, vec3, { unit }),
);

/** @typedef {import('@gradsim/core').F32} F32 @typedef {import('@gradsim/core').U32} U32 @typedef {import('@gradsim/core').Vec3} Vec3 */

/** A vector in the direction of `x`, of length 1 where it is much longer than `scale`. */
const limited = (/** @type {Vec3} */ x, /** @type {number} */ scale) => x.div(sqrt(dot(x, x).add(scale * scale)));
/**
 * Force on a grain and torque on it from what it overlaps by `depth` in the direction `n`, which slips and spins relative to it.
 * @param {{ depth: F32, n: Vec3, slip: Vec3, turn: Vec3 }} met
 * @param {{ friction: F32, rolling: F32, stiffness: F32, damping: F32 }} law
 */
function touch({ depth, n, slip, turn }, { friction, rolling, stiffness, damping }) {
  const apart = dot(slip, n);
  const press = max(depth, 0)
    .mul(stiffness)
    .mul(max(apart.mul(damping).neg().add(1), 0));
  const rub = limited(slip.sub(n.mul(apart)), CREEP).mul(press.mul(friction));
  const resist = limited(turn, CREEP / RADIUS).mul(press.mul(rolling).mul(RADIUS));
  return { force: rub.sub(n.mul(press)), torque: cross(n, rub).mul(RADIUS).add(resist) };
}

const heap = definePlugin({
  name: 'heap',
  contract: 1,
  components: [Grain],
  build: ({ model }) => {
    model.addField(friction, { fill: 0.5 });
    model.addField(rolling, { fill: 0.2 });
    model.addField(stiffness, { fill: 2e4 });
    model.addField(damping, { fill: 0.5 });
    const near = neighbours(model, { points: Grain, distance: 2 * RADIUS, capacity: 26, maxSpeed: 5 });
    const press = kernel(
      'press',
      { domain: Grain, reads: { ...near.reads, ...laws, position, velocity, spin }, writes: { force, torque } },
      ({ position, velocity, spin, friction, rolling, stiffness, damping, ...fields }) => {
        const law = { friction, rolling, stiffness, damping };
        /** @param {{ index: U32, offset: Vec3, distance: F32 }} other */
        const byGrain = ({ index, offset, distance }) => {
          const [n, other] = [offset.div(distance), spin.at(index)];
          const slip = velocity
            .at(index)
            .sub(velocity)
            .sub(cross(spin.add(other), n).mul(RADIUS));
          return touch({ depth: distance.neg().add(2 * RADIUS), n, slip, turn: other.sub(spin) }, law);
        };
        const down = vec3(0, -1, 0);
        const slip = velocity.add(cross(spin, down).mul(RADIUS)).neg();
        const floor = touch({ depth: position.y.neg().add(RADIUS), n: down, slip, turn: spin.neg() }, law);
        return {
          force: near
            .ofElement(fields)
            .sum(vec3, (grain) => byGrain(grain).force)
            .add(floor.force),
          torque: near
            .ofElement(fields)
            .sum(vec3, (grain) => byGrain(grain).torque)
            .add(floor.torque),
        };
      },
    );
    const move = kernel(
      'move',
      { domain: Grain, reads: { position, velocity, spin, force, torque }, writes: { position, velocity, spin } },
      ({ position, velocity, spin, force, torque }, { dt }) => {
        const next = velocity.add(
          force
            .div(MASS)
            .add(vec3(0, -9.81, 0))
            .mul(dt),
        );
        const turned = spin.add(torque.mul(dt.div(0.4 * MASS * RADIUS ** 2)));
        return { position: position.add(next.mul(dt)), velocity: next, spin: turned };
      },
    );
    model.addPass('force', press);
    model.addPass('integrate', move);
  },
});
const scene = createScene([heap]);
// Layers of three by three, each shifted a little.
const grains = Array.from({ length: 27 }, (_, k) => [k % 3, Math.floor(k / 9), Math.floor(k / 3) % 3]);
scene.addMany(Grain, grains.length, {
  position: grains.flatMap(([x, y, z]) => [0.104 * x + 0.03 * y, 0.052 + 0.101 * y, 0.103 * z + 0.02 * y]),
  velocity: grains.flatMap(() => [0, -0.5, 0]),
});
const model = buildModel(scene);

const run = { frames: 9, frameRate: 20, substeps: 150 };
const simulation = await createSimulation(model, { device: f64Device(), ...run });
simulation.forward();
const top = Math.max(...(await simulation.read(position)).filter((_, k) => k % 3 === 1));
// It neither stays a tower nor runs apart into one layer.
if (!(top > 2 * RADIUS && top < 0.3)) throw new Error(`The heap is ${top} m high.`);
simulation.dispose();

const parameters = [friction, rolling, stiffness, damping, velocity];
const checked = await checkGradients(model, { ...run, frames: 2, parameters, outputs: [position], seed: 1 });
const gradientError = Math.max(...Object.values(checked.parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'heap', gradientError, seconds: performance.now() / 1000 }));
