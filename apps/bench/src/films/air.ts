import type { Plugin } from '@gradsim/core';
import { definePlugin, f32, field, kernel } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

const air = field('world', 'air', f32, { unit: '1/s' });
const { velocity, totalMass, force } = Particle;

/** Applies linear drag F = -2 c m v, with which an oscillator's amplitude decays as exp(-c t). */
const resist = kernel(
  'resist',
  { domain: Particle, reads: { velocity, totalMass, air }, adds: { force } },
  ({ velocity, totalMass, air, force }) => {
    force.add(velocity.mul(air.mul(totalMass).mul(-2)));
  },
);

/** Plugin for linear drag on all particles; its coefficient, 1/s, is the unknown `world.air`. */
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
