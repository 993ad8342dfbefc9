// A block of water that falls into a corner of walls: smoothed particles (Mueller et al. 2003), weakly compressible.

import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, definePlugin, f32, field, kernel, max, vec3 } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { neighbours } from '@gradsim/dynamics';
import { addParticles, Particle, particles } from '@gradsim/particles';

const [H, SPACING, REST] = [0.1, 0.05, 1000];
const MASS = REST * SPACING ** 3;
const [W_SCALE, PULL_SCALE] = [(MASS * 315) / (64 * Math.PI * H ** 9), (45 * MASS ** 2) / (Math.PI * H ** 6)];
const [stiffness, viscosity] = ['stiffness', 'viscosity'].map((name) => field('world', name, f32));
const density = field('particles', 'density', f32, { unit: 'kg/m^3' });

const water = definePlugin({
  name: 'water',
  contract: 1,
  requires: ['@gradsim/particles'],
  build: ({ model }) => {
    const near = neighbours(model, { points: Particle, distance: H, capacity: 90, maxSpeed: 4, refresh: 4 });
    model.addField(stiffness, { fill: 5 });
    model.addField(viscosity, { fill: 2 });
    const weigh = kernel('weigh', { domain: Particle, reads: near.reads, writes: { density } }, (fields) => {
      const W = (/** @type {import('@gradsim/core').F32} */ r) => {
        const q = max(f32(H ** 2).sub(r.mul(r)), 0);
        return q.mul(q).mul(q).mul(W_SCALE);
      };
      const others = near.ofElement(fields).sum(f32, ({ distance }) => W(distance));
      return { density: others.add(W(f32(0))) };
    });
    const reads = { ...near.reads, density, velocity: Particle.velocity, stiffness, viscosity };
    const press = kernel('press', { domain: Particle, reads, adds: { force: Particle.force } }, (fields) => {
      const { density, velocity, stiffness, viscosity, force } = fields;
      const pull = near.ofElement(fields).sum(vec3, ({ index, offset, distance }) => {
        const left = max(f32(H).sub(distance), 0);
        const other = density.at(index);
        const mean = stiffness.mul(density.add(other).mul(0.5).sub(REST));
        const push = offset.mul(mean.mul(left).div(distance));
        const drag = velocity.at(index).sub(velocity).mul(viscosity);
        return drag.sub(push).mul(left.mul(PULL_SCALE).div(density.mul(other)));
      });
      force.add(pull);
    });
    model.addPass('force', weigh);
    model.addPass('force', press);
  },
});

const scene = createScene([particles(), water, contact()]);
const at = [0, 1, 2, 3].map((k) => 0.03 + SPACING * k);
const places = at.flatMap((x) => at.flatMap((y) => at.flatMap((z) => [x, y + 0.1, z + 0.01 * y])));
for (const drop of addParticles(scene, places, { mass: MASS, velocity: [-0.3, 0, 0] }))
  scene.attach(drop, contactOf(Particle), { ke: 200, kd: 0.2, kf: 0.1, mu: 0.2 });
scene.add(HalfSpace, {});
scene.add(HalfSpace, { normal: [1, 0, 0] });

const run = { frames: 3, frameRate: 20, substeps: 100, outputs: [Particle.position, Particle.velocity] };
const parameters = [stiffness, viscosity, Particle.velocity, Particle.mass];
const checked = await checkGradients(buildModel(scene), { ...run, parameters, seed: 1 });
const gradientError = Math.max(...Object.values(checked.parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'sph', gradientError, seconds: performance.now() / 1000 }));
