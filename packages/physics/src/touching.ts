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
 * Points that can touch: the elements of a component, with what touching reads of them and adds to. All quantities are in
 * world axes. Offer one constant, the same to every model: kernels over its fields are then traced once.
 */
export interface PointsThatTouch {
  /** Whose elements they are: one point each. */
  readonly component: Component;
  /** m; and m/s, that which led to this position. */
  readonly position: FieldOf<Vec3>;
  readonly velocity: FieldOf<Vec3>;
  /** A sum of what acts on them, N: added to in phase `force`. */
  readonly force: FieldOf<Vec3>;
  /** kg, there from phase `setup` on: what a bounce, and friction without a stiffness of its own, go by. */
  readonly mass?: FieldOf<F32>;
  /** Sums of the stiffness, N/m, and damping, N s/m, around them, added to in `setup`: where a step limit goes by them. */
  readonly around?: { readonly stiffness: FieldOf<F32>; readonly damping: FieldOf<F32> };
  /**
   * Whether a force stands for the substep that led to the state it is taken at, as in implicit steps, in place of the time
   * from half a substep before it to half a substep after.
   */
  readonly isAtEnd?: boolean;
  /** Where they lie in the rest shape of what is between them, m: what is near there does not touch. For surfaces alone. */
  readonly rest?: {
    /** There from phase `setup` on. */
    readonly position: FieldOf<Vec3>;
    /** The same before the run, of one of them. */
    readonly of: (scene: Scene, point: Entity) => ArrayLike<number>;
  };
}

/**
 * Points that can touch, for the plugin that has them to offer.
 *
 * ```ts
 * const STONES: PointsThatTouch = {
 *   component: Stone, position: Stone.position, velocity: Stone.velocity, force: Stone.force,
 * };
 * model.offer(PointsThatTouch, STONES);
 * ```
 */
export const PointsThatTouch = defineOffer<PointsThatTouch>('points that can touch', (points, before) =>
  flawIn(points, before, ['position', 'velocity', 'force']),
);

/**
 * Bodies that a pass of phase `integrate` moves by v' = v + dt a, x' = x + dt v', and turns likewise: x is that of whole
 * substeps, v that of the middle between two.
 */
export interface LeapfrogMotion {
  /** The pass, its kernel or its plugin, by name: what changes the motion runs after it. */
  readonly movedBy: string;
  /** 1 for a body that never moves. */
  readonly fixed: FieldOf<F32>;
  /** The inverse of inertia over mass about the centre of mass, in body axes, 1/m^2: there from phase `setup` on. */
  readonly inverseGyration: FieldOf<Mat33>;
  /** What rounding has left of the states, see `addCompensated`: changed with them. */
  readonly carries: {
    readonly position: FieldOf<Vec3>;
    readonly velocity: FieldOf<Vec3>;
    readonly orientation: FieldOf<Quat>;
    readonly angularVelocity: FieldOf<Vec3>;
  };
}

/**
 * Bodies that can touch: the elements of a component, with what touching reads of them and adds to. All quantities are in
 * world axes but where it says so. As with points, offer one constant.
 */
export interface BodiesThatTouch {
  /** Whose elements they are: one body each. */
  readonly component: Component;
  /** Of the centre of mass, m; and m/s. */
  readonly position: FieldOf<Vec3>;
  readonly velocity: FieldOf<Vec3>;
  /** From body axes to the world's; and rad/s. */
  readonly orientation: FieldOf<Quat>;
  readonly angularVelocity: FieldOf<Vec3>;
  /** Sums of what acts at the centre of mass, N, and about it, N m: added to in phase `force`. */
  readonly force: FieldOf<Vec3>;
  readonly torque: FieldOf<Vec3>;
  /** kg, there from phase `setup` on: what a bounce, and friction without a stiffness of its own, go by. */
  readonly mass?: FieldOf<F32>;
  /** How they move, where it is by leapfrog: for what changes their motion in an instant. */
  readonly motion?: LeapfrogMotion;
  /** Points that the bodies touch with, over a domain of their own: whose each is, and where, from the centre of mass in body axes, m. */
  readonly vertices?: { readonly body: FieldRef<IndexType<1>>; readonly local: FieldOf<Vec3> };
  /** Inertia over mass of a body about its centre of mass, in body axes, row by row, m^2: for the largest stable substep. */
  readonly gyrationOf?: (context: BuildContext, body: Entity) => ArrayLike<number>;
  /** Pairs of bodies that are joined, and so do not touch each other. */
  readonly joined?: (context: BuildContext) => readonly (readonly [Entity, Entity])[];
  /** The closed mesh of a body, from the centre of mass in body axes, m, if it has one: for shapes that take it over. */
  readonly meshOf?: (
    context: BuildContext,
    body: Entity,
  ) => { readonly positions: Float64Array; readonly triangles: Uint32Array } | undefined;
}

/**
 * Bodies that can touch, for the plugin that has them to offer.
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
  flawIn(bodies, before, ['position', 'velocity', 'orientation', 'angularVelocity', 'force', 'torque']),
);

type Named<K extends string> = { readonly component: Component } & {
  readonly [N in K]: FieldOf<Vec3 | Quat>;
};

/** What is missing of the fields of a component, or is one of other elements. */
function flawIn<K extends string>(
  what: Named<K>,
  before: readonly Named<K>[],
  names: readonly K[],
): string | undefined {
  // Those who write no TypeScript may leave something out.
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
