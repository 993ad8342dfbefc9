import type { Vector } from '@gradsim/base';
import type { BuildContext, Entity } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { BodiesThatTouch } from '@gradsim/dynamics';
import { boundsOf } from '@gradsim/mesh';
import { ContactBox } from '../shapes/box.ts';
import { ContactCapsule } from '../shapes/capsule.ts';
import { ContactMesh } from '../shapes/mesh.ts';
import { solidMeshOf } from '../shapes/mesh-grids.ts';
import type { ShapeComponent } from '../shapes/shape.ts';
import { ContactSphere } from '../shapes/sphere.ts';
import type { OwnerBody } from '../touching.ts';
import { ownerOf } from '../touching.ts';
import type { Core } from './solid.ts';
import { CUBE_CORE, coreOfMesh, POINT_CORE, segmentCore } from './solid.ts';

/** Kind of a shape with a point as its core. */
export const SPHERE_KIND = 0;
/** Kind of a shape with a segment as its core. */
export const CAPSULE_KIND = 1;
/** Kind of a shape with a box as its core. */
export const BOX_KIND = 2;
/** Kind of a shape whose signed distance is sampled on a grid. */
export const MESH_KIND = 3;

/** A contact shape of the scene, with its core. */
export interface TouchingShape {
  readonly entity: Entity;
  readonly component: ShapeComponent;
  /** Index among the shapes of its component. */
  readonly number: number;
  /** Body of the shape; undefined for a static one. */
  readonly owner: OwnerBody | undefined;
  readonly kind: number;
  readonly core: Core;
  /** Rounding radius of corners and edges of boxes and meshes, m. */
  readonly rounding: number;
  /** Largest absolute coordinates of the core: in metres for a mesh, otherwise in units of half of the core's size. */
  readonly extent: Vector;
}

const KINDS: readonly (readonly [ShapeComponent, number])[] = [
  [ContactSphere, SPHERE_KIND],
  [ContactCapsule, CAPSULE_KIND],
  [ContactBox, BOX_KIND],
  [ContactMesh, MESH_KIND],
];

/**
 * Returns all contact shapes of a scene, those of bodies first, then the static ones; within each group by kind
 * (sphere, capsule, box, mesh), then in the order in which they were added.
 * @param share rounding radius of edges and corners as a fraction of the shortest side.
 */
export function touchingShapes(context: BuildContext, share: number): TouchingShape[] {
  const all = KINDS.flatMap(([component, kind]) =>
    context.entities(component).map((entity, number): TouchingShape => {
      const owner = ownerOf(context, entity, component);
      const own = { entity, component, number, owner, kind };
      if (kind === SPHERE_KIND) return { ...own, core: POINT_CORE, rounding: 0, extent: [0, 0, 0] };
      if (kind === CAPSULE_KIND) {
        const [length, radius] = (['length', 'radius'] as const).map(
          (size) => context.scene.get(entity, ContactCapsule, size)[0],
        );
        return { ...own, core: segmentCore(length, radius), rounding: 0, extent: [0, 1, 0] };
      }
      if (kind === BOX_KIND) {
        const size = context.scene.get(entity, ContactBox, 'size');
        return { ...own, core: CUBE_CORE, rounding: share * Math.min(...size), extent: [1, 1, 1] };
      }
      const mesh = solidMeshOf(context, component, entity);
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

/**
 * Returns the distance of a shape's surface from its core, m: the radius of a sphere or capsule, else the rounding
 * radius.
 */
export function radiusIn({ scene }: BuildContext, { entity, component, kind, rounding }: TouchingShape): number {
  return kind <= CAPSULE_KIND ? scene.get(entity, component, 'radius')[0] : rounding;
}

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
  for (const { joined } of offers) for (const [a, b] of joined?.(context) ?? []) separate(a, b);
  for (const [a, b] of apart) separate(a, b);
  return {
    bodyOf: ({ owner }) => (owner ? numbers.get(entities(owner.bodies.component)[owner.number])! : -1),
    others,
  };
}
