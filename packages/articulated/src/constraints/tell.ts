import type { KernelPass } from '@gradsim/core';
import { cross, vec3 } from '@gradsim/core';
import { derivativesOf } from '../attitude.ts';
import type { Rank } from '../ranks.ts';
import { ZERO } from '../spatial.ts';
import { ACCELERATION } from '../sweeps/accelerate.ts';
import { MOTION_FIELDS } from '../sweeps/outward.ts';
import { CHANGE_FIELDS } from '../sweeps/respond.ts';
import type { PortRenames } from '../sweeps/sweep.ts';
import { sweep } from '../sweeps/sweep.ts';
import { movedAccelerations } from './fields.ts';

const copyAccelerationsSweep = sweep({
  name: 'tellLink',
  own: { ...ACCELERATION, ...CHANGE_FIELDS },
  parent: {},
  world: { reads: {}, of: () => ({}) },
  link: {},
  writes: {},
  lifts: {},
  sums: { linkAlpha: movedAccelerations.alpha, linkAcceleration: movedAccelerations.acceleration },
  run: ({ own }) => ({
    own: {},
    lifted: {},
    link: {
      linkAlpha: own.alpha.add(derivativesOf(own.alphaChange)),
      linkAcceleration: own.acceleration.add(derivativesOf(own.accelerationChange)),
    },
  }),
});

/** Copies the accelerations of links from depth levels to links, for constraints. Runs after `respondToImbalance`. */
export const copyAccelerations = (rank: Rank, rebound?: PortRenames): KernelPass =>
  copyAccelerationsSweep(rank, rebound);

/** Fields of the acceleration of a link and of its origin at constant rates of all joints, world axes. */
export const COASTING_FIELDS = { coastingAlpha: vec3, coastingAcceleration: vec3 };
const { arm, biasAngular, biasLinear } = MOTION_FIELDS;
const coastingSweep = sweep({
  name: 'coast',
  own: { arm, biasAngular, biasLinear },
  parent: COASTING_FIELDS,
  world: { reads: {}, of: () => ({ coastingAlpha: ZERO(), coastingAcceleration: ZERO() }) },
  link: {},
  writes: COASTING_FIELDS,
  lifts: {},
  sums: { coastAlpha: movedAccelerations.coastAlpha, coastAcceleration: movedAccelerations.coastAcceleration },
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
export const coastingAccelerations = (rank: Rank): KernelPass => coastingSweep(rank);
