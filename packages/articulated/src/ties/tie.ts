import type { Entity } from '@gradsim/core';
import { column, defineComponent, f32, resource, vec3 } from '@gradsim/core';
import type { BodiesThatTouch, PointsThatTouch } from '@gradsim/dynamics';

/**
 * Kind of tie: two points held together (`anchor`), at a given distance (`rod`), or at most at a given distance
 * (`rope`).
 */
export type TieKind = 'anchor' | 'rod' | 'rope';
export const KINDS: readonly TieKind[] = ['anchor', 'rod', 'rope'];

/**
 * Holds a body, a link or a particle, of any plugin that offers such, to another one or to a fixed point of the world,
 * by a stiff spring. Since ties are springs, they may close loops.
 *
 * ```ts
 * const scene = createScene([rigid(), ties()]);
 * const lamp = scene.add(Body, { mesh: box({ size: [0.2, 0.1, 0.2] }), mass: 1, position: [0, 1, 0] });
 * scene.add(Tie, {
 *   kind: 'rope',
 *   body: lamp,
 *   point: [0, 0.05, 0],
 *   otherPoint: [0, 2, 0],
 *   length: 0.95,
 *   stiffness: 1e4,
 * });
 * ```
 */
export const Tie = defineComponent(
  'ties',
  {
    kind: resource<TieKind>(),
    /**
     * The held body, link or particle, and the one that holds it; without `other`, a fixed point of the world holds it.
     */
    body: resource<Entity>(),
    other: resource<Entity>({ required: false }),
    /**
     * Points of the tie, m: in body axes from the centre of mass, ignored for particles; `otherPoint` in world axes if
     * there is no `other`.
     */
    point: column(vec3, { default: 0, unit: 'm' }),
    otherPoint: column(vec3, { default: 0, unit: 'm' }),
    /** Length of a rod, or maximum length of a rope, m; not used by anchors. */
    length: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
    stiffness: column(f32, { unit: 'N/m', range: 'positive' }),
    /**
     * Damping c, N s/m, with the velocity v of one end relative to the other: an anchor has the force -c v, a rod or
     * rope only the part along it.
     */
    damping: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  },
  {},
  { noun: 'tie' },
);

/** Object that one end of a tie holds: the world, a point or a body. */
export type TieEnd =
  | { readonly kind: 'world' }
  | { readonly kind: 'point'; readonly of: PointsThatTouch }
  | { readonly kind: 'body'; readonly of: BodiesThatTouch };
export type TieEndElement = { readonly end: TieEnd; readonly number: number };
