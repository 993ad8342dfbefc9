import type {
  BuildContext,
  Component,
  Entity,
  F32,
  FieldOf,
  Index,
  Kernel,
  OtherDomain,
  Quat,
  Vec3,
} from '@gradsim/core';
import { column, cross, fieldOn, resource, rotate, rotateInverse, vec3 } from '@gradsim/core';
import type { PointsThatTouch } from '@gradsim/physics';
import { BodiesThatTouch, once, orientation, unitOrientation } from '@gradsim/physics';
import type { AddersOf, ReadersOf, Reads } from '../fields.ts';
import { kernelWith, onEach } from '../fields.ts';
import { contactForce, onsetOf } from '../law.ts';
import type { MaterialFields } from '../material.ts';
import { combine, materialOf, surfaceIn, surfaceOf } from '../material.ts';
import { addPairs, pairsOf } from '../pairs.ts';
import { addStiffness } from '../stability.ts';
import type { Touching } from '../touching.ts';
import { bodyIn, ownerOf, pointIn, reactionOn } from '../touching.ts';

/** A component whose entities are shapes. */
export type ShapeComponent = Component & MaterialFields & { readonly position: FieldOf<Vec3> };

/** A kind of shape that points touch, on a body or static. */
export interface Shape {
  readonly component: ShapeComponent;
  /** Kernel over pairs of a point and a shape of a body. */
  readonly onBody: (points: PointsThatTouch) => (bodies: BodiesThatTouch) => Kernel;
  /** Kernel over pairs of a point and a static shape. */
  readonly inWorld: (points: PointsThatTouch) => Kernel;
  /**
   * Checks the entities, and adds the fields that kernels read besides the component's columns, for contact within
   * `reach` (m).
   */
  readonly build?: (context: BuildContext, reach: number) => void;
}

/** Body of the shape; a resource, since references are required. */
export const body = resource<Entity>({ required: false });

/** Pose of a shape with axes of its own. */
export const placement = {
  /** Position in body axes from the centre of mass; of a static shape, in the world. */
  position: column(vec3, { default: 0, unit: 'm' }),
  /** Quaternion (x, y, z, w), from the shape's axes to the body's or the world's; normalised when the run starts. */
  orientation,
};

/** Fields that kernels over points and shapes read. */
const touchIn = (points: PointsThatTouch, component: ShapeComponent) => ({
  ...pointIn(points),
  ...surfaceIn(component),
  ...onEach({ shapePosition: component.position }),
});
const forceOn = ({ force }: PointsThatTouch) => onEach({ force });

/** Relation of a point to a surface: its signed distance, m, and the unit normal away from the surface. */
export interface Nearness {
  readonly distance: F32;
  readonly normal: Vec3;
}
/** Nearness by an interpolated distance, whose slope deviates from 1 where the surface is curved. */
export interface SmoothNearness extends Nearness {
  readonly slope: F32;
}
/** A surface in axes of a body, or of the world. */
export type Surface = (point: Vec3) => Nearness;

/** Point and shape, as a shape's kernels see them. */
export type InWorld = { readonly point: Index; readonly shape: Index } & ReadersOf<ReturnType<typeof touchIn>>;
type OnBody = InWorld & { readonly body: Index } & ReadersOf<ReturnType<typeof bodyIn>>;
type Force = AddersOf<ReturnType<typeof forceOn>>;
type Reaction = AddersOf<ReturnType<typeof reactionOn>>;

/** Duration of the substep, and the onset weight of damping. */
interface Clock {
  readonly dt: F32;
  readonly onset: number;
}

/** Force on the point, by the materials of both. */
function pressure(c: InWorld, { distance, normal }: Nearness, velocity: Vec3, { dt, onset }: Clock): Vec3 {
  const { point, shape } = c;
  const material = combine(materialOf(c, point), surfaceOf(c, shape));
  return contactForce(c.thickness.at(point).sub(distance), normal, velocity, material, dt, onset);
}

/** Contact of a point with a static surface. */
function touchInWorld(c: InWorld & Force, surface: Surface, clock: Clock): void {
  const { point } = c;
  c.force.add(point, pressure(c, surface(c.position.at(point)), c.velocity.at(point), clock));
}

/**
 * Contact of a point with a surface that moves with a body. Approach and slip are relative to the body at the point,
 * and the reaction acts there too, so that momentum and angular momentum are conserved.
 */
function touchOnBody(c: OnBody & Force & Reaction, surface: Surface, clock: Clock): void {
  const { point, body } = c;
  const orientation = c.bodyOrientation.at(body);
  const arm = c.position.at(point).sub(c.bodyPosition.at(body));
  const { distance, normal } = surface(rotateInverse(orientation, arm));
  const surfaceVelocity = c.bodyVelocity.at(body).add(cross(c.angularVelocity.at(body), arm));
  const relative = c.velocity.at(point).sub(surfaceVelocity);
  const f = pressure(c, { distance, normal: rotate(orientation, normal) }, relative, clock);
  c.force.add(point, f);
  c.bodyForce.add(body, f.neg());
  c.torque.add(body, cross(arm, f).neg());
}

const pairsInWorld = (points: PointsThatTouch, shape: ShapeComponent) => pairsOf({ point: points.component, shape });
const pairsOnBody = (points: PointsThatTouch, shape: ShapeComponent, bodies: BodiesThatTouch) =>
  pairsOf({ point: points.component, shape, body: bodies.component });

/** Definition of a kind of shape, for {@link shapeOf}. */
export interface ShapeSpec<R extends Reads> extends Pick<Shape, 'build'> {
  readonly component: ShapeComponent;
  /** Fields that its surface reads, besides those of all shapes. */
  readonly reads: R;
  /** Orientation of shapes with axes of their own, from the component's `placement`. */
  readonly orientation?: FieldOf<Quat>;
  /** Returns its surface, in axes of the body or the world, or its own. */
  readonly surface: (own: ReadersOf<R>, c: InWorld) => Surface;
}

/** Creates a kind of shape, with its kernels over pairs of a point and a shape of a body, or a static one. */
export function shapeOf<R extends Reads>(spec: ShapeSpec<R>): Shape {
  const { component, reads, orientation, build } = spec;
  const turned: Partial<Turned> = orientation ? { shapeOrientation: fieldOn(orientation) } : {};
  const orient = orientation && once(() => unitOrientation(orientation));
  const surface = (own: ReadersOf<R>, c: InWorld & Partial<ReadersOf<Turned>>): Surface => {
    const inOwnAxes = spec.surface(own, c);
    return c.shapeOrientation ? placed(c.shapeOrientation.at(c.shape), c, inOwnAxes) : inOwnAxes;
  };
  const onBody = once((points: PointsThatTouch) =>
    once((bodies: BodiesThatTouch) => {
      const { domain, indices } = pairsOnBody(points, component, bodies);
      return kernelWith(
        `touch_${domain}`,
        {
          domain,
          reads: { ...indices, ...touchIn(points, component), ...turned, ...bodyIn(bodies) },
          adds: { ...forceOn(points), ...reactionOn(bodies) },
        },
        reads,
        (c, own, { dt }) => touchOnBody(c, surface(own, c), { dt, onset: onsetOf(points) }),
      );
    }),
  );
  const inWorld = once((points: PointsThatTouch) => {
    const { domain, indices } = pairsInWorld(points, component);
    return kernelWith(
      `touch_${domain}`,
      { domain, reads: { ...indices, ...touchIn(points, component), ...turned }, adds: forceOn(points) },
      reads,
      (c, own, { dt }) => touchInWorld(c, surface(own, c), { dt, onset: onsetOf(points) }),
    );
  });
  return {
    component,
    build: (context, reach) => {
      if (orient) context.model.addPass('setup', orient());
      build?.(context, reach);
    },
    onBody,
    inWorld,
  };
}

type Turned = { readonly shapeOrientation: OtherDomain<Quat> };

/** Transforms a surface from the shape's own axes by its `position` and `orientation`. */
function placed(orientation: Quat, { shape, shapePosition }: InWorld, surface: Surface): Surface {
  return (point) => {
    const own = surface(rotateInverse(orientation, point.sub(shapePosition.at(shape))));
    return { distance: own.distance, normal: rotate(orientation, own.normal) };
  };
}

/** Adds contact of every point with every shape of a kind: those of bodies, and static ones. */
export function addShapeContacts(context: BuildContext, shape: Shape, touching: readonly Touching[]): void {
  const { model, entities } = context;
  const { component, onBody, inWorld } = shape;
  const shapes = entities(component).map((entity, k) => ({
    shape: k,
    owner: ownerOf(context, entity, component),
  }));
  for (const { points, numbers } of touching) {
    addStiffness(model, points, component, shapes.length);
    for (const bodies of model.offered(BodiesThatTouch)) {
      const rows = numbers.flatMap((point) =>
        shapes.flatMap(({ shape, owner }) => (owner?.bodies === bodies ? [{ point, shape, body: owner.number }] : [])),
      );
      addPairs(model, pairsOnBody(points, component, bodies), rows, {
        force: () => onBody(points)(bodies),
      });
    }
    const rows = numbers.flatMap((point) => shapes.flatMap(({ shape, owner }) => (owner ? [] : [{ point, shape }])));
    addPairs(model, pairsInWorld(points, component), rows, {
      force: () => inWorld(points),
    });
  }
}
