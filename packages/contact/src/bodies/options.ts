import type { Entity } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';

/** Options of contact between bodies, and of bodies with static shapes. */
export interface BodiesOnBodies {
  /**
   * Maximum sustained speed of shapes, m/s: neighbours are searched within the distance that two shapes of this speed
   * cover until the next search. A run in which a shape moves farther than that ends in an error.
   */
  readonly maxSpeed: number;
  /** Number of substeps between neighbour searches. Default 16. */
  readonly refresh?: number;
  /**
   * Capacity of a shape's neighbour list, at most 250; a pair of shapes is only in the list of the one added first.
   * Default 24.
   */
  readonly neighbours?: number;
  /**
   * Rounding radius of edges and corners of boxes and meshes, as a fraction of the shape's shortest side; two bodies
   * may penetrate each other by at most the sum of their radii. Default 0.03.
   */
  readonly rounding?: number;
  /** Pairs of bodies excluded from contact. Links connected by a joint are always excluded. */
  readonly excludedPairs?: readonly (readonly [Entity, Entity])[];
}

const OPTIONS = { maxSpeed: true, refresh: true, neighbours: true, rounding: true, excludedPairs: true };
/**
 * Maximum capacity of a neighbour list, in entries: a kernel invocation keeps the list in its own memory while building
 * it.
 */
const MAX_NEIGHBOURS = 250;

/**
 * Fills in defaults and checks the options.
 * @throws when one is out of its range.
 */
export function checked(options: BodiesOnBodies): Required<BodiesOnBodies> {
  refuseUnknownOptions<BodiesOnBodies>('contact: bodies', options, OPTIONS);
  const { maxSpeed, refresh = 16, neighbours = 24, rounding = 0.03, excludedPairs = [] } = options;
  const refuse = (name: string, value: unknown, must: string): never => {
    throw new GradsimError('contact/option-out-of-range', `contact: bodies.${name} is ${String(value)}.`, {
      field: `bodies.${name}`,
      hint: `It must be ${must}.`,
    });
  };
  if (flawOf(maxSpeed, { scalar: 'f32', range: 'positive' })) refuse('maxSpeed', maxSpeed, 'a speed above 0 m/s');
  if (!Number.isInteger(refresh) || refresh < 1) refuse('refresh', refresh, 'a whole number of substeps of at least 1');
  if (!Number.isInteger(neighbours) || neighbours < 1 || neighbours > MAX_NEIGHBOURS)
    refuse('neighbours', neighbours, `a whole number from 1 to ${MAX_NEIGHBOURS}`);
  if (!(rounding > 0 && rounding <= 0.25)) refuse('rounding', rounding, 'above 0, and at most 0.25');
  if (!Array.isArray(excludedPairs) || excludedPairs.some((pair) => !Array.isArray(pair) || pair.length !== 2))
    refuse('excludedPairs', describeValue(excludedPairs), 'a list of pairs of bodies');
  return { maxSpeed, refresh, neighbours, rounding, excludedPairs };
}
