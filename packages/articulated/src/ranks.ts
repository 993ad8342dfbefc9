import type { JointKind } from './link.ts';

/** A link as a node of a tree; links are given by their indices. */
export interface TreeLink {
  /** Index of the parent link; -1 for a link that hangs on the world. */
  readonly parent: number;
  readonly joint: JointKind;
}

/**
 * Relation of the links of a depth level to their parents: all hang on the world; on the element with the same index in
 * the parent's level; or on one given by an index field.
 */
export type ParentAccess = 'world' | 'same' | 'indexed';

/**
 * Links over which one kernel of a sweep runs in parallel: at one depth, on joints of one kind, with parents in one
 * depth level. A level with one child of each link of the level above, in its order, shares its domain, so that a
 * chain, or many like ones, reads and adds at no index.
 */
export interface Rank {
  /** Number of the level; the parents' level has a lower number. */
  readonly id: number;
  readonly joint: JointKind;
  readonly domain: string;
  /** Index of the link of each element. */
  readonly links: readonly number[];
  readonly parent: Rank | null;
  readonly access: ParentAccess;
  /** Index of the parent of each element within the parent's level, for the access `indexed`. */
  readonly parents: readonly number[];
  /** True if links of the level have children that put a load on them: all children except those on free joints. */
  readonly hasLoadingChildren: boolean;
}

/**
 * Returns the depth levels of a forest, roots first.
 * @param links links whose chains of parents all end at the world.
 */
export function ranksOf(links: readonly TreeLink[]): Rank[] {
  const below = links.map((): number[] => []);
  const roots: number[] = [];
  links.forEach(({ parent }, k) => (parent < 0 ? roots : below[parent]).push(k));
  const ranks: Rank[] = [];
  const kindsOf = (numbers: readonly number[]): number[][] =>
    [...new Set(numbers.map((k) => links[k].joint))].map((joint) => numbers.filter((k) => links[k].joint === joint));
  const queue = kindsOf(roots).map((of): [Rank | null, number[]] => [null, of]);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [parent, of] = next;
    const place = new Map(parent?.links.map((link, k) => [link, k]));
    const parents = parent ? of.map((k) => place.get(links[k].parent)!) : [];
    const children = of.flatMap((k) => below[k]);
    const siblings = parent ? kindsOf(parent.links.flatMap((k) => below[k])).length : 0;
    const isSame = siblings === 1 && parent?.links.length === of.length && parents.every((p, k) => p === k);
    const rank: Rank = {
      id: ranks.length,
      joint: links[of[0]].joint,
      links: of,
      parent,
      parents,
      access: parent === null ? 'world' : isSame ? 'same' : 'indexed',
      domain: isSame ? parent.domain : `limbs${ranks.length}`,
      hasLoadingChildren: children.some((k) => links[k].joint !== 'free'),
    };
    ranks.push(rank);
    for (const family of kindsOf(children)) queue.push([rank, family]);
  }
  return ranks;
}
