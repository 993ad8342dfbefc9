import { Link } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import type { NamedValues, TieSpec } from '@gradsim/optim';

/** Number of rods that stand for the chain; and how much longer the first is than the mean, as the last is shorter. */
const [COUNT, LONGER] = [6, 0.20229];
/** Lengths of the rods from the upper end on, in parts of the chain's. */
export const RODS: readonly number[] = Array.from(
  { length: COUNT },
  (_, rod) => (1 + LONGER * (1 - (2 * rod) / (COUNT - 1))) / COUNT,
);
/**
 * Moments of inertia of a rod, and of the last one, about their middles over mass and squared length. With 1/12, a thin rod's,
 * the slowest three frequencies of rods of one length are 0.08, 2.5 and 9 % above the chain's; with these and the lengths
 * above they are those to 1e-6, and the fourth is 7 % high.
 */
const [INERTIA, OF_LAST] = [0.094876, 0.142247];

const ALL = [...RODS.keys()];
const below = (length: number): number[] => [0, -length, 0];
/** Inertia tensor of a rod, kg m^2, of a chain of mass 1, the same about all axes, of which the swing uses one. */
const inertiaOf = (length: number, rod: number): number[] => {
  const moment = (rod === COUNT - 1 ? OF_LAST : INERTIA) * RODS[rod] * (RODS[rod] * length) ** 2;
  return Array.from({ length: 9 }, (_, at) => (at % 4 === 0 ? moment : 0));
};

/** Adds rods that bend freely, one below the other, of mass 1 together, and the free end. */
export function addRods(scene: Scene, length: number, hook: readonly number[]): void {
  let parent: Entity | undefined;
  for (const [rod, part] of RODS.entries())
    parent = scene.add(
      Link,
      {
        ...(parent ? { parent } : {}),
        joint: 'revolute',
        anchor: rod === 0 ? hook : below(RODS[rod - 1] * length),
        mass: part,
        centre: below((part * length) / 2),
        inertia: inertiaOf(length, rod),
      },
      `rod ${rod} of the chain`,
    );
  scene.add(Link, { parent, joint: 'fixed', anchor: below(RODS[COUNT - 1] * length) }, 'the free end');
}

/**
 * Ties of the rods to the length of the chain and to the rotation of the plane of its swing about the vertical, rad.
 * @param turn name of that unknown.
 */
export function rodTies(turn: string): TieSpec[] {
  const ofAll = (of: (v: NamedValues, rod: number) => number[]) => (v: NamedValues) => ALL.flatMap((rod) => of(v, rod));
  return [
    {
      field: Link.anchor,
      elements: ALL.map((rod) => rod + 1),
      compute: ofAll((v, rod) => below(RODS[rod] * v.length)),
    },
    { field: Link.centre, elements: ALL, compute: ofAll((v, rod) => below((RODS[rod] * v.length) / 2)) },
    { field: Link.inertia, elements: ALL, compute: ofAll((v, rod) => inertiaOf(v.length, rod)) },
    { field: Link.axis, elements: ALL, compute: ofAll((v) => [Math.sin(v[turn]), 0, Math.cos(v[turn])]) },
  ];
}
