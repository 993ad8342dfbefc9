import { Link } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import type { NamedValues, TieSpec } from '@gradsim/optim';

/** Rods that stand for the chain. */
export const RODS = 6;
/**
 * Moment of inertia of a rod about its middle over its mass and squared length. With 1/12, a thin rod's, the slowest frequency
 * of the rods is 0.08 % above the chain's; with this it is that to 1e-6, and the next is 1.5 % high.
 */
const INERTIA = 0.0988;

const ALL = Array.from({ length: RODS }, (_, rod) => rod);

/** Inertia tensor of a rod of mass 1, m^2, the same about all axes, of which the swing uses one. */
const inertiaOf = (length: number): number[] =>
  Array.from({ length: 9 }, (_, at) => (at % 4 === 0 ? INERTIA * (length / RODS) ** 2 : 0));
const below = (length: number, rods: number): number[] => [0, (-rods * length) / RODS, 0];

/** Adds equal rods that bend freely, one below the other, of mass 1 each, and the free end. */
export function addRods(scene: Scene, length: number, hook: readonly number[]): void {
  let parent: Entity | undefined;
  for (const rod of ALL)
    parent = scene.add(
      Link,
      {
        ...(parent ? { parent } : {}),
        joint: 'revolute',
        anchor: rod === 0 ? hook : below(length, 1),
        mass: 1,
        centre: below(length, 0.5),
        inertia: inertiaOf(length),
      },
      `rod ${rod} of the chain`,
    );
  scene.add(Link, { parent, joint: 'fixed', anchor: below(length, 1) }, 'the free end');
}

/**
 * Ties of the rods to the length of the chain and to the rotation of the plane of its swing about the vertical, rad.
 * @param turn name of that unknown.
 */
export function rodTies(turn: string): TieSpec[] {
  const ofAll = (of: (v: NamedValues) => number[]) => (v: NamedValues) => ALL.flatMap(() => of(v));
  return [
    { field: Link.anchor, elements: ALL.map((rod) => rod + 1), of: ofAll((v) => below(v.length, 1)) },
    { field: Link.centre, elements: ALL, of: ofAll((v) => below(v.length, 0.5)) },
    { field: Link.inertia, elements: ALL, of: ofAll((v) => inertiaOf(v.length)) },
    { field: Link.axis, elements: ALL, of: ofAll((v) => [Math.sin(v[turn]), 0, Math.cos(v[turn])]) },
  ];
}
