import type {
  BuildContext,
  Component,
  Entity,
  F32,
  FieldOf,
  FieldRef,
  IndexType,
  Mat33,
  Quat,
  Scene,
  Vec3,
} from '@gradsim/core';
import { defineOffer } from '@gradsim/core';

/**
 * Points that can be in contact: the elements of a component, with the fields that contact reads and adds to. All
 * quantities are in world axes. Offer the same constant object to every model: kernels over its fields are then traced
 * once.
 */
export interface PointsThatTouch {
  /** Component of which each element is a point. */
  readonly component: Component;
  /** Position, m, and velocity, m/s: that of the substep which led to this position. */
  readonly position: FieldOf<Vec3>;
  readonly velocity: FieldOf<Vec3>;
  /** Sum of forces, N: added to in phase `force`. */
  readonly force: FieldOf<Vec3>;
  /** Mass, kg, available from phase `setup` on: used by bounces, and by friction without a stiffness of its own. */
  readonly mass?: FieldOf<F32>;
  /**
   * Sums of the stiffness, N/m, and damping, N s/m, around the points, added to in `setup`, if a step limit is computed
   * from them.
   */
  readonly around?: { readonly stiffness: FieldOf<F32>; readonly damping: FieldOf<F32> };
  /**
   * True if a force acts over the substep that ends at the state it is evaluated at, as in implicit steps; else it acts
   * from half a substep before that state to half a substep after.
   */
  readonly isAtEnd?: boolean;
  /** Positions in the rest shape, m: points near each other there are not in contact. For surfaces only. */
  readonly rest?: {
    /** Field of the rest positions, m, available from phase `setup` on. */
    readonly position: FieldOf<Vec3>;
    /** Returns the rest position of one point, m, before the run. */
    readonly positionOf: (scene: Scene, point: Entity) => ArrayLike<number>;
  };
}

/**
 * Offer of points that can be in contact.
 *
 * ```ts
 * const STONES: PointsThatTouch = {
 *   component: Stone, position: Stone.position, velocity: Stone.velocity, force: Stone.force,
 * };
 * model.offer(PointsThatTouch, STONES);
 * ```
 */
export const PointsThatTouch = defineOffer<PointsThatTouch>('points that can touch', (points, before) =>
  offerFault(points, before, ['position', 'velocity', 'force']),
);

/**
 * Bodies that a pass of phase `integrate` moves by v' = v + dt a, x' = x + dt v', and rotates likewise: x is at whole
 * substeps, v at the middle between two.
 */
export interface LeapfrogMotion {
  /** Name of the pass, its kernel or its plugin that moves the bodies: passes that change the motion run after it. */
  readonly movedBy: string;
  /** Field that is 1 for a body that never moves, else 0. */
  readonly fixed: FieldOf<F32>;
  /** Inverse of inertia over mass about the centre of mass, in body axes, 1/m^2; available from phase `setup` on. */
  readonly inverseGyration: FieldOf<Mat33>;
  /** Rounding errors of the states, see `addCompensated`: whoever changes a state changes its rounding error too. */
  readonly carries: {
    readonly position: FieldOf<Vec3>;
    readonly velocity: FieldOf<Vec3>;
    readonly orientation: FieldOf<Quat>;
    readonly angularVelocity: FieldOf<Vec3>;
  };
  /**
   * Sums over the pushes of a body that begin within the substep, if there may be some: what they add to `force` and `torque`, and
   * their forces once they act, N. What rests is held up to then.
   */
  readonly begun?: {
    readonly force: FieldOf<Vec3>;
    readonly torque: FieldOf<Vec3>;
    readonly wholeForce: FieldOf<Vec3>;
  };
}

/**
 * Bodies that can be in contact: the elements of a component, with the fields that contact reads and adds to. All
 * quantities are in world axes except where stated. As with points, offer one constant.
 */
export interface BodiesThatTouch {
  /** Component of which each element is a body. */
  readonly component: Component;
  /** Position of the centre of mass, m; and its velocity, m/s. */
  readonly position: FieldOf<Vec3>;
  readonly velocity: FieldOf<Vec3>;
  /** Orientation, body to world; and angular velocity, rad/s. */
  readonly orientation: FieldOf<Quat>;
  readonly angularVelocity: FieldOf<Vec3>;
  /** Sums of the forces at the centre of mass, N, and of the torques about it, N m: added to in phase `force`. */
  readonly force: FieldOf<Vec3>;
  readonly torque: FieldOf<Vec3>;
  /** Mass, kg, available from phase `setup` on: used by bounces, and by friction without a stiffness of its own. */
  readonly mass?: FieldOf<F32>;
  /** Motion, if it is by leapfrog: for impulses, which change velocities instantly. */
  readonly motion?: LeapfrogMotion;
  /**
   * Contact vertices of the bodies, over a domain of their own: the body of each, and its position from the centre of
   * mass in body axes, m.
   */
  readonly vertices?: { readonly body: FieldRef<IndexType<1>>; readonly local: FieldOf<Vec3> };
  /**
   * Returns the inertia over mass of a body about its centre of mass, in body axes, row by row, m^2: for the largest
   * stable substep.
   */
  readonly gyrationOf?: (context: BuildContext, body: Entity) => ArrayLike<number>;
  /** Pairs of bodies that are joined, and so are not in contact with each other. */
  readonly joinedPairs?: (context: BuildContext) => readonly (readonly [Entity, Entity])[];
  /**
   * Returns the closed mesh of a body, m, in body axes from the centre of mass; undefined if it has none. Contact
   * shapes are made of it.
   */
  readonly meshOf?: (
    context: BuildContext,
    body: Entity,
  ) => { readonly positions: Float64Array; readonly triangles: Uint32Array } | undefined;
}

/**
 * Offer of bodies that can be in contact.
 *
 * ```ts
 * const { position, velocity, orientation, angularVelocity, force, torque } = Boulder;
 * const BOULDERS: BodiesThatTouch = {
 *   component: Boulder, position, velocity, orientation, angularVelocity, force, torque,
 * };
 * model.offer(BodiesThatTouch, BOULDERS);
 * ```
 */
export const BodiesThatTouch = defineOffer<BodiesThatTouch>('bodies that can touch', (bodies, before) =>
  offerFault(bodies, before, ['position', 'velocity', 'orientation', 'angularVelocity', 'force', 'torque']),
);

type OfferedFields<K extends string> = { readonly component: Component } & {
  readonly [N in K]: FieldOf<Vec3 | Quat>;
};

/**
 * Describes what is wrong with an offered component: a missing field, or one over another domain; undefined if nothing
 * is.
 */
function offerFault<K extends string>(
  what: OfferedFields<K>,
  before: readonly OfferedFields<K>[],
  names: readonly K[],
): string | undefined {
  // Callers in plain JavaScript may leave something out.
  const { component }: { readonly component?: Component } = what;
  if (!component) return 'without saying of which `component`';
  if (before.some((other) => other.component === component)) return `of ${component.name}, which are offered already`;
  for (const name of names) {
    const ref: FieldOf<Vec3 | Quat> | undefined = what[name];
    if (!ref) return `of ${component.name} without \`${name}\`, a reference to a field of theirs`;
    if (ref.domain !== component.domain)
      return `of ${component.name} with \`${name}\` ${ref.key}, which is a field of ${ref.domain}`;
  }
  return undefined;
}
