import type { Entity } from '@gradsim/core';
import { column, defineComponent, f32, resource, vec3 } from '@gradsim/core';
import type { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';

/** Kind of tie: two points held together, at a distance, or at most at a distance. */
export type TieKind = 'anchor' | 'rod' | 'rope';
export const KINDS: readonly TieKind[] = ['anchor', 'rod', 'rope'];

/**
 * Holds a body, a link or a point, of any plugin that offers such, to another one or to a place in the world: by a
 * stiff spring, so that ties may close loops.
 *
 * ```ts
 * const scene = createScene([rigid(), ties()]); const lamp = scene.add(Body, { mesh: box({ size: [0.2, 0.1, 0.2] }),
 * mass: 1, position: [0, 1, 0] }); scene.add(Tie, { kind: 'rope', body: lamp, point: [0, 0.05, 0], otherPoint: [0, 2,
 * 0], length: 0.95, stiffness: 1e4 });
 * ```
 */
export const Tie = defineComponent(
  'ties',
  {
    kind: resource<TieKind>(),
    /** The held body or point, and the one that holds it; without that, a place in the world. */
    body: resource<Entity>(),
    other: resource<Entity>({ required: false }),
    /** Points in body axes from the centre of mass (ignored for particles); in the world, m. */
    point: column(vec3, { default: 0, unit: 'm' }),
    otherPoint: column(vec3, { default: 0, unit: 'm' }),
    /** Length of a rod, or maximum length of a rope; anchors have none. */
    length: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
    stiffness: column(f32, { unit: 'N/m', range: 'positive' }),
    /** Damping c: force -c v of an anchor, v the velocity of one end relative to the other; of a rod or rope c times its part along it. */
    damping: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
  },
  {},
  { noun: 'tie' },
);

/** One end of a tie. */
export type End =
  | { readonly kind: 'world' }
  | { readonly kind: 'point'; readonly of: PointsThatTouch }
  | { readonly kind: 'body'; readonly of: BodiesThatTouch };
export type Held = { readonly end: End; readonly number: number };
