import type { Bool, BuildContext, Entity, U32 } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { BodiesThatTouch } from '@gradsim/dynamics';
import { SHAPES } from '../shapes/list.ts';
import type { Shape } from '../shapes/shape.ts';
import type { RoundedCore, Solid } from '../shapes/solid.ts';
import type { OwnerBody } from '../touching.ts';
import { ownerOf } from '../touching.ts';

/** A contact shape of the scene, with its core. */
export interface TouchingShape extends RoundedCore {
  readonly entity: Entity;
  readonly shape: Shape;
  /** Index of `shape` among all kinds. */
  readonly kind: number;
  /** Index among the shapes of its component. */
  readonly number: number;
  /** Body of the shape; undefined for a static one. */
  readonly owner: OwnerBody | undefined;
}

/**
 * Returns all contact shapes of a scene, those of bodies first, then the static ones; within each group by kind, then in
 * the order in which they were added.
 * @param share rounding radius of edges and corners as a fraction of the shortest side.
 */
export function touchingShapes(context: BuildContext, share: number): TouchingShape[] {
  const all = SHAPES.flatMap((shape, kind) =>
    context.entities(shape.component).map((entity, number): TouchingShape => {
      const owner = ownerOf(context, entity, shape.component);
      return { ...shape.solid.coreOf(context, entity, share), entity, shape, kind, number, owner };
    }),
  );
  return [...all.filter(({ owner }) => owner), ...all.filter(({ owner }) => !owner)];
}

/** Returns whether a shape, given by the index of its kind, has one of these surfaces. */
export const hasSurface = (kind: U32, ...surfaces: Solid['surface'][]): Bool =>
  SHAPES.flatMap(({ solid }, k) => (surfaces.includes(solid.surface) ? [kind.eq(k)] : [])).reduce((a, b) => a.or(b));

/**
 * Numbers the bodies of the scene, and returns for each the set of bodies excluded from contact with it: those of
 * `excludedPairs`, and links connected by a joint.
 *
 * @throws when `excludedPairs` names an entity that is no body of the scene.
 */
export function bodiesApart(
  context: BuildContext,
  apart: readonly (readonly [Entity, Entity])[],
): {
  readonly bodyOf: (shape: TouchingShape) => number;
  readonly others: ReadonlyMap<number, ReadonlySet<number>>;
} {
  const { scene, model, entities } = context;
  const numbers = new Map<Entity, number>();
  const offers = model.offered(BodiesThatTouch);
  for (const { component } of offers) for (const entity of entities(component)) numbers.set(entity, numbers.size);
  const others = new Map<number, Set<number>>();
  const separate = (a: Entity, b: Entity): void => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const number = numbers.get(one);
      if (number === undefined)
        throw new GradsimError(
          'contact/unknown-body',
          `contact: bodies.excludedPairs names ${typeof one === 'number' ? scene.describe(one) : String(one)}, which is no body that can touch.`,
          { field: 'bodies.excludedPairs' },
        );
      others.set(number, (others.get(number) ?? new Set()).add(numbers.get(other) ?? -1));
    }
  };
  for (const { joinedPairs } of offers) for (const [a, b] of joinedPairs?.(context) ?? []) separate(a, b);
  for (const [a, b] of apart) separate(a, b);
  return {
    bodyOf: ({ owner }) => (owner ? numbers.get(entities(owner.bodies.component)[owner.number])! : -1),
    others,
  };
}
