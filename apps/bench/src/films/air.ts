import type { Plugin } from '@gradsim/core';
import { definePlugin, f32, field, kernel } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

const air = field('world', 'air', f32, { unit: '1/s' });
const { velocity, totalMass, force } = Particle;

/** F = -2 c m v: an oscillator's amplitude then decays as exp(-c t). */
const resist = kernel(
  'resist',
  { domain: Particle, reads: { velocity, totalMass, air }, adds: { force } },
  ({ velocity, totalMass, air, force }) => {
    force.add(velocity.mul(air.mul(totalMass).mul(-2)));
  },
);

/** Linear drag of all particles, the unknown `world.air`, 1/s. */
export const airDrag = (start: number): Plugin =>
  definePlugin({
    name: 'bench/air-drag',
    contract: 1,
    requires: ['@gradsim/particles'],
    build: ({ model }) => {
      model.addField(air, { fill: start });
      model.addPass('force', resist);
    },
  });
