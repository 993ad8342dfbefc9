import type { BuildContext, Entity } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { boundsOf } from '@gradsim/mesh';
import type { Vector } from '@gradsim/numeric';
import { BodiesThatTouch } from '@gradsim/physics';
import { ContactBox } from '../shapes/box.ts';
import { ContactCapsule } from '../shapes/capsule.ts';
import { ContactMesh } from '../shapes/mesh.ts';
import { meshOf } from '../shapes/mesh-grids.ts';
import type { ShapeComponent } from '../shapes/shape.ts';
import { ContactSphere } from '../shapes/sphere.ts';
import type { Owner } from '../touching.ts';
import { ownerOf } from '../touching.ts';
import type { Core } from './solid.ts';
import { CUBE, coreOfMesh, POINT, segment } from './solid.ts';

/** Kind of a shape with a point as its core. */
export const SPHERE = 0;
/** Kind of a shape with a segment as its core. */
export const CAPSULE = 1;
/** Kind of a shape with a box as its core. */
export const BOX = 2;
/** Kind of a shape with a grid of signed distances. */
export const MESH = 3;

/** A contact shape, as given. */
export interface TouchingShape {
  readonly entity: Entity;
  readonly component: ShapeComponent;
  /** Number among the shapes of its component. */
  readonly number: number;
  /** Body of the shape; undefined for a static one. */
  readonly owner: Owner | undefined;
  readonly kind: number;
  readonly core: Core;
  /** Rounding radius of corners and edges of boxes and meshes, m. */
  readonly rounding: number;
  /** Largest coordinates of the core, in units of half of its size. */
  readonly extent: Vector;
}

const KINDS: readonly (readonly [ShapeComponent, number])[] = [
  [ContactSphere, SPHERE],
  [ContactCapsule, CAPSULE],
  [ContactBox, BOX],
  [ContactMesh, MESH],
];

/**
 * All shapes of a scene, those of bodies first, in the order in which their components and they were added.
 * @param share of the smallest side by which edges and corners are rounded.
 */
export function touchingShapes(context: BuildContext, share: number): TouchingShape[] {
  const all = KINDS.flatMap(([component, kind]) =>
    context.entities(component).map((entity, number): TouchingShape => {
      const owner = ownerOf(context, entity, component);
      const own = { entity, component, number, owner, kind };
      if (kind === SPHERE) return { ...own, core: POINT, rounding: 0, extent: [0, 0, 0] };
      if (kind === CAPSULE) {
        const [length, radius] = (['length', 'radius'] as const).map(
          (size) => context.scene.get(entity, ContactCapsule, size)[0],
        );
        return { ...own, core: segment(length, radius), rounding: 0, extent: [0, 1, 0] };
      }
      if (kind === BOX) {
        const size = context.scene.get(entity, ContactBox, 'size');
        return { ...own, core: CUBE, rounding: share * Math.min(...size), extent: [1, 1, 1] };
      }
      const mesh = meshOf(context, component, entity);
      const { low, high } = boundsOf(mesh);
      const rounding = share * Math.min(...high.map((h, axis) => h - low[axis]));
      const most = (axis: number): number => Math.max(Math.abs(low[axis]), Math.abs(high[axis]));
      return {
        ...own,
        rounding,
        extent: [most(0), most(1), most(2)],
        core: coreOfMesh(mesh, rounding),
      };
    }),
  );
  return [...all.filter(({ owner }) => owner), ...all.filter(({ owner }) => !owner)];
}

/** Returns the largest distance of a shape's surface from its core, in the scene, m. */
export function radiusIn({ scene }: BuildContext, { entity, component, kind, rounding }: TouchingShape): number {
  return kind <= CAPSULE ? scene.get(entity, component, 'radius')[0] : rounding;
}

/**
 * Returns the excluded pairs of bodies, each body by a unique number. @throws for an entity that is no body of the
 * scene.
 *
 * @throws for one that is no body of the scene.
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
          `contact: bodies.apart names ${typeof one === 'number' ? scene.describe(one) : String(one)}, which is no body that can touch.`,
          { field: 'bodies.apart' },
        );
      others.set(number, (others.get(number) ?? new Set()).add(numbers.get(other) ?? -1));
    }
  };
  for (const { joined } of offers) for (const [a, b] of joined?.(context) ?? []) separate(a, b);
  for (const [a, b] of apart) separate(a, b);
  return {
    bodyOf: ({ owner }) => (owner ? numbers.get(entities(owner.bodies.component)[owner.number])! : -1),
    others,
  };
}
