import { column, computed, defineComponent, f32, sum, vec2 } from '@gradsim/core';

const IS_MASK = { requirement: 'be 0 or 1', isMet: ([x]: readonly number[]) => x === 0 || x === 1 } as const;

/**
 * A cell of a grid of smoke. Lengths are cells and times are steps: a velocity of (1, 0) moves down one row per step,
 * whatever the number of substeps per second. {@link addSmoke} adds all cells of a grid, row by row.
 */
export const SmokeCell = defineComponent(
  'smoke',
  {
    /** Amount of smoke in the cell, in any unit, advected by the flow. */
    density: column(f32, { default: 0 }),
    /** Velocity along rows (downwards) and along columns (to the right), cells per step. */
    velocity: column(vec2, { default: [0, 0] }),
    /** 1 for a cell whose density and velocity are set to those of the inflow after every step; else 0. */
    inflow: column(f32, { default: 0, range: IS_MASK }),
    inflowDensity: column(f32, { default: 0 }),
    inflowVelocity: column(vec2, { default: [0, 0] }),
  },
  {
    /** External acceleration, cells per step^2: passes of other plugins add to it in phase `force`. */
    push: sum(vec2),
    // Intermediate fields of a step.
    carried: computed(vec2),
    divergence: computed(f32),
    pressure: computed(f32),
  },
  { noun: 'smoke cell' },
);
