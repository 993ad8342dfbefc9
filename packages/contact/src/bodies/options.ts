import type { Entity } from '@gradsim/core';
import { flawOf, refuseUnknownOptions } from '@gradsim/core';

/** How bodies touch bodies. */
export interface BodiesOnBodies {
  /**
   * No shape may be faster for long, m/s: neighbours are looked for as far as two of this speed come until the next search. A
   * run with a faster one gives an error.
   */
  readonly maxSpeed: number;
  /** Substeps from one search for neighbours to the next. Default 16. */
  readonly refresh?: number;
  /** How many others a shape can have near, those counted that were added after it; up to 250. Default 24. */
  readonly neighbours?: number;
  /**
   * Edges and corners of boxes and meshes are rounded by this share of their smallest side, and two bodies may press into each
   * other by the roundings of both, not more. Default 0.03.
   */
  readonly rounding?: number;
  /** Pairs of bodies that do not touch each other. Links joined by a joint never do. */
  readonly apart?: readonly (readonly [Entity, Entity])[];
}

const OPTIONS = { maxSpeed: true, refresh: true, neighbours: true, rounding: true, apart: true };
/** The most that a list has room for: it lies in the memory of one invocation while it is made. */
const MOST_NEIGHBOURS = 250;

/**
 * Options with their defaults.
 * @throws when one is out of its range.
 */
export function checked(options: BodiesOnBodies): Required<BodiesOnBodies> {
  refuseUnknownOptions<BodiesOnBodies>('contact: bodies', options, OPTIONS);
  const { maxSpeed, refresh = 16, neighbours = 24, rounding = 0.03, apart = [] } = options;
  const refuse = (name: string, value: unknown, must: string): never => {
    throw new Error(`contact: bodies.${name} is ${String(value)}; it must be ${must}.`);
  };
  if (flawOf(maxSpeed, { scalar: 'f32', range: 'positive' })) refuse('maxSpeed', maxSpeed, 'a speed above 0 m/s');
  if (!Number.isInteger(refresh) || refresh < 1) refuse('refresh', refresh, 'a whole number of substeps of at least 1');
  if (!Number.isInteger(neighbours) || neighbours < 1 || neighbours > MOST_NEIGHBOURS)
    refuse('neighbours', neighbours, `a whole number from 1 to ${MOST_NEIGHBOURS}`);
  if (!(rounding > 0 && rounding <= 0.25)) refuse('rounding', rounding, 'above 0, and at most 0.25');
  if (!Array.isArray(apart) || apart.some((pair) => !Array.isArray(pair) || pair.length !== 2))
    refuse('apart', JSON.stringify(apart), 'a list of pairs of bodies');
  return { maxSpeed, refresh, neighbours, rounding, apart };
}
