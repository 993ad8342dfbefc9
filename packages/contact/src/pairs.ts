import type { Component, IndexType, Kernel, Model } from '@gradsim/core';
import { index } from '@gradsim/core';

/** Domain whose elements are tuples of elements of other domains that can be in contact, such as a point and a box. */
export interface PairDomain<K extends string> {
  readonly domain: string;
  readonly indices: Readonly<Record<K, IndexType<1>>>;
}

export const capitalise = (name: string): string => name[0].toUpperCase() + name.slice(1);

/** Creates a domain of tuples, named after the domains of their elements: `particlesOnBoxesOnBodies` for example. */
export function pairsOf<K extends string>(components: Readonly<Record<K, Pick<Component, 'domain'>>>): PairDomain<K> {
  const entries = Object.entries<Pick<Component, 'domain'>>(components);
  return {
    domain: entries.map(([, { domain }], k) => (k === 0 ? domain : `On${capitalise(domain)}`)).join(''),
    indices: Object.fromEntries(entries.map(([name, { domain }]) => [name, index(domain)])) as PairDomain<K>['indices'],
  };
}

/** Kernels over pairs: one for phase `setup`, once per run, and one for phase `force`. */
export interface PairKernels {
  readonly setup?: () => Kernel;
  readonly force: () => Kernel;
}

/**
 * Adds pairs to a model, one per row of element indices, and the kernels over them. Does nothing if there are no rows.
 */
export function addPairs<K extends string>(
  model: Model,
  { domain, indices }: PairDomain<K>,
  rows: readonly Readonly<Record<K, number>>[],
  { setup, force }: PairKernels,
): void {
  if (rows.length === 0) return;
  model.addDomain(domain, rows.length);
  for (const name of Object.keys(indices) as K[])
    model.addIndex(
      domain,
      name,
      indices[name].domain,
      1,
      rows.map((row) => row[name]),
    );
  if (setup) model.addPass('setup', setup());
  model.addPass('force', force());
}
