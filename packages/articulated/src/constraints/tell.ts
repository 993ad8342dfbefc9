import type { KernelPass } from '@gradsim/core';
import { cross, vec3 } from '@gradsim/core';
import { derivativesOf } from '../attitude.ts';
import type { Rank } from '../ranks.ts';
import { ZERO } from '../spatial.ts';
import { ACCELERATION } from '../sweeps/accelerate.ts';
import { MOTION } from '../sweeps/outward.ts';
import { CHANGE } from '../sweeps/respond.ts';
import type { Rebound } from '../sweeps/sweep.ts';
import { sweep } from '../sweeps/sweep.ts';
import { moved } from './fields.ts';

const telling = sweep({
  name: 'tellLink',
  own: { ...ACCELERATION, ...CHANGE },
  parent: {},
  world: { reads: {}, of: () => ({}) },
  link: {},
  writes: {},
  lifts: {},
  sums: { linkAlpha: moved.alpha, linkAcceleration: moved.acceleration },
  run: ({ own }) => ({
    own: {},
    lifted: {},
    link: {
      linkAlpha: own.alpha.add(derivativesOf(own.alphaChange)),
      linkAcceleration: own.acceleration.add(derivativesOf(own.accelerationChange)),
    },
  }),
});

/** Copies the accelerations of links from depth levels to links, for constraints. Runs after `respond`. */
export const tell = (rank: Rank, rebound?: Rebound): KernelPass => telling(rank, rebound);

/** Fields of the acceleration of a link and of its origin at constant rates of all joints, world axes. */
export const COASTING = { coastingAlpha: vec3, coastingAcceleration: vec3 };
const { arm, biasAngular, biasLinear } = MOTION;
const coasting = sweep({
  name: 'coast',
  own: { arm, biasAngular, biasLinear },
  parent: COASTING,
  world: { reads: {}, of: () => ({ coastingAlpha: ZERO(), coastingAcceleration: ZERO() }) },
  link: {},
  writes: COASTING,
  lifts: {},
  sums: { coastAlpha: moved.coastAlpha, coastAcceleration: moved.coastAcceleration },
  run: ({ own, parent }) => {
    const coastingAlpha = parent.coastingAlpha.add(own.biasAngular);
    const carried = parent.coastingAcceleration.add(cross(parent.coastingAlpha, own.arm));
    const coastingAcceleration = carried.add(own.biasLinear);
    return {
      own: { coastingAlpha, coastingAcceleration },
      lifted: {},
      link: { coastAlpha: coastingAlpha, coastAcceleration: coastingAcceleration },
    };
  },
});

/** Forward sweep, roots to leaves: computes the accelerations of links at constant rates, for constraints. */
export const coast = (rank: Rank): KernelPass => coasting(rank);
