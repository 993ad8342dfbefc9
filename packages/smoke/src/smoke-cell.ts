import { column, computed, defineComponent, f32, sum, vec2 } from '@gradsim/core';

const IS_MASK = { must: 'be 0 or 1', holds: ([x]: readonly number[]) => x === 0 || x === 1 } as const;

/**
 * A cell of a grid of smoke. Lengths are cells and times are steps: a velocity of (1, 0) moves down one row per step,
 * whatever the rate of substeps. {@link addSmoke} adds those of a whole grid, row by row.
 */
export const SmokeCell = defineComponent(
  'smoke',
  {
    /** Amount of smoke, advected by the flow. */
    density: column(f32, { default: 0 }),
    /** Velocity along rows (downwards) and along columns (to the right), in cells a step. */
    velocity: column(vec2, { default: [0, 0] }),
    /** 1 where density and velocity are set after every step, to those of the inflow. */
    inflow: column(f32, { default: 0, range: IS_MASK }),
    inflowDensity: column(f32, { default: 0 }),
    inflowVelocity: column(vec2, { default: [0, 0] }),
  },
  {
    /** External acceleration, cells a step^2: passes of other plugins add to it in phase `force`. */
    push: sum(vec2),
    // Intermediate fields of a step.
    carried: computed(vec2),
    divergence: computed(f32),
    pressure: computed(f32),
  },
  { noun: 'smoke cell' },
);
