import { GradsimError } from '@gradsim/core';
import type { Problem } from '../problem/problem.ts';
import type { Timeline } from '../problem/run.ts';
import { momentsOf } from '../problem/run.ts';
import type { Block } from './block.ts';
import type { Tie } from './tie.ts';

/** A field that unknowns or ties set, with these. */
export interface Target {
  readonly key: string;
  /** Values of the field in one world before unknowns are written, flat [moment][element][component]. */
  readonly base: Float64Array;
  readonly perMoment: number;
  readonly variesBy: 'frame' | 'substep' | undefined;
  readonly blocks: readonly Block[];
  readonly ties: readonly UsedTie[];
  /** True if an unknown that has a derivative sets the field. */
  readonly hasDerivative: boolean;
}
/** A tie, with the names of the parameters that its function reads. */
export type UsedTie = Tie & { readonly uses: ReadonlySet<string> };

/** Collects the fields that unknowns and ties set. @throws if two of them set the same place. */
export function targetsOf(
  { model, values: given, ...timeline }: Timeline & Required<Pick<Problem, 'model' | 'values'>>,
  blocks: readonly Block[],
  ties: readonly UsedTie[],
): Target[] {
  const keys = [...blocks, ...ties].flatMap(({ field }) => (field === null ? [] : [field]));
  return [...new Set(keys)].map((key) => {
    const field = model.field(key);
    const perMoment = model.domain(field.domain).size * field.components;
    const length = momentsOf(field, timeline) * perMoment;
    const known = given[key] ?? field.values ?? new Float64Array(perMoment);
    const own = blocks.filter((block) => block.field === key);
    const tied = ties.filter((tie) => tie.field === key);
    refuseSharedPlaces(key, [...own, ...tied], length, field.components, perMoment);
    const goesThere = ({ name, field: to }: Block): boolean => to === key || tied.some(({ uses }) => uses.has(name));
    return {
      hasDerivative: blocks.some((block) => !block.isByValues && goesThere(block)),
      key,
      perMoment,
      variesBy: field.variesBy,
      blocks: own,
      ties: tied,
      base: Float64Array.from({ length }, (_, k) => known[k % known.length]),
    };
  });
}

/** Checks the places of a field. @throws if two unknowns or ties set the same one, except for modes of one array. */
function refuseSharedPlaces(
  key: string,
  blocks: readonly (Pick<Block, 'name' | 'places' | 'weights'> | Tie)[],
  length: number,
  components: number,
  perMoment: number,
): void {
  const taken = new Uint32Array(length);
  blocks.forEach((block, b) => {
    const { name, places } = block;
    const isOfModes = 'weights' in block && block.weights !== undefined;
    for (const place of places) {
      if (taken[place] > 0 && !(isOfModes && taken[place] === b + 1)) {
        const within = place % perMoment;
        const at = `${key}[${Math.floor(within / components)}][${within % components}]`;
        throw new GradsimError('optim/set-twice', `Both ${blocks[taken[place] - 1].name} and ${name} set ${at}.`, {
          hint: 'Only one of them can.',
        });
      }
      taken[place] = b + 1;
    }
  });
}

/** Writes the values of unknowns and ties into those of a field; times beyond the end of `values` are skipped. */
export function fill(values: Float64Array, { blocks, ties }: Target, x: ArrayLike<number>): void {
  for (const { first, count, places, owners, weights, coordinate } of blocks) {
    const own = Float64Array.from({ length: count }, (_, k) => coordinate.toValue(x[first + k]));
    for (let p = 0; p < places.length; p++) {
      if (places[p] >= values.length) continue;
      if (weights) values[places[p]] += weights[p] * own[owners[p]];
      else values[places[p]] = own[owners[p]];
    }
  }
  for (const { places, owners, values: of } of ties) {
    const own = of(x);
    for (let p = 0; p < places.length; p++) if (places[p] < values.length) values[places[p]] = own[owners[p]];
  }
}

/**
 * Adds the derivatives with respect to the field's first `length` values to those with respect to the unknowns' values.
 */
export function addUp(
  gradient: Float64Array,
  { blocks }: Target,
  length: number,
  derivatives: (place: number) => number,
): void {
  for (const { first, places, owners, weights } of blocks)
    for (let p = 0; p < places.length; p++)
      if (places[p] < length) gradient[first + owners[p]] += (weights ? weights[p] : 1) * derivatives(places[p]);
}

/**
 * Adds to a gradient with respect to coordinates the contribution through ties of the derivatives with respect to the
 * field's first `length` values.
 */
export function addTied(
  gradient: Float64Array,
  { ties }: Target,
  x: ArrayLike<number>,
  length: number,
  derivatives: (place: number) => number,
): void {
  for (const { places, owners, slopes } of ties)
    for (let k = 0; k < gradient.length; k++) {
      const own = slopes(x, k);
      if (!own) continue;
      for (let p = 0; p < places.length; p++)
        if (places[p] < length) gradient[k] += own[owners[p]] * derivatives(places[p]);
    }
}
