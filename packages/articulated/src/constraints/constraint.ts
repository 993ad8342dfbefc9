import type { Entity } from '@gradsim/core';
import { column, defineComponent, f32, resource, vec3 } from '@gradsim/core';
import { orientation } from '@gradsim/dynamics';

/**
 * Kind of constraint: two points of links held together (`connect`), a link held at a place and orientation in another
 * one (`weld`), or a coordinate that follows another one (`gear`).
 */
export type ConstraintKind = 'connect' | 'weld' | 'gear';
export const CONSTRAINT_KINDS: readonly ConstraintKind[] = ['connect', 'weld', 'gear'];

/**
 * Constraint between two links, or of one to the world: closes a loop of links, or couples two joints. A four-bar
 * linkage, whose last bar ends at a pin of the world:
 *
 * ```ts
 * scene.add(Constraint, { kind: 'connect', link: rocker, point: [0, -0.3, 0], otherPoint: [0.4, 0, 0] });
 * ```
 *
 * Its violation r decays as r'' + 2 r' / T + r / T^2 = 0, with T = `timeConstant` (J. Baumgarte, 1972).
 */
export const Constraint = defineComponent(
  'constraints',
  {
    kind: resource<ConstraintKind>(),
    /** Link that is held, or whose coordinate follows; and the link that holds it, without which the world does. */
    link: resource<Entity>(),
    other: resource<Entity>({ required: false }),
    /**
     * Points held together by `connect` and `weld`, m, in the axes of the links, from their joints; `otherPoint` in
     * world axes if there is no `other`.
     */
    point: column(vec3, { default: 0, unit: 'm' }),
    otherPoint: column(vec3, { default: 0, unit: 'm' }),
    /** Orientation of a welded link in the axes of `other`, or of the world: quaternion (x, y, z, w). */
    restOrientation: orientation,
    /** A `gear` holds coordinate = `ratio` times that of `other` + `offset`; `offset` in rad or m. */
    ratio: column(f32, { default: 1 }),
    offset: column(f32, { default: 0 }),
    /** Time constant T with which violations decay, s; at least two substeps. Default 0: ten substeps. */
    timeConstant: column(f32, { default: 0, unit: 's', range: 'nonNegative' }),
  },
  {},
  { noun: 'constraint' },
);
