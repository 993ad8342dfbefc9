import { wind } from '@gradsim/cloth';
import type { Plugin } from '@gradsim/core';
import { definePlugin, kernel, sin, vec3 } from '@gradsim/core';

/**
 * Plugin of a gusty wind, assumed known from an anemometer at the pole: 8 m/s along the flag, varying by a third, and a
 * cross wind that changes its direction.
 */
export const gusts: Plugin = definePlugin({
  name: 'gusts',
  contract: 1,
  requires: ['@gradsim/cloth'],
  build: ({ model }) => model.addPass('control', applyGusts),
});

const applyGusts = kernel('blow', { domain: 'world', reads: {}, writes: { wind } }, (_, { time: begin, dt }) => {
  // In the middle of the substep, through which it blows so.
  const time = begin.add(dt.mul(0.5));
  const swell = sin(time.mul(9).add(0.5));
  const across = sin(time.mul(13).add(0.6))
    .mul(2)
    .add(sin(time.mul(5.3).add(2)));
  return { wind: vec3(swell.mul(2.7).add(8), sin(time.mul(7)), across) };
});
