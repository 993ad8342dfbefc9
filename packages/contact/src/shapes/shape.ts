import type {
  BuildContext,
  Component,
  Entity,
  F32,
  FieldOf,
  Index,
  IndexedField,
  Kernel,
  Quat,
  Vec3,
} from '@gradsim/core';
import { column, cross, fieldOn, resource, rotate, rotateInverse, vec3 } from '@gradsim/core';
import type { ForceInterval, MotionToState, PointsThatTouch } from '@gradsim/dynamics';
import { BodiesThatTouch, intervalOf, memoise, motionToState, orientation, unitOrientation } from '@gradsim/dynamics';
import type { AddersOf, ReadersOf, Reads } from '../fields.ts';
import { kernelWith, readsOnElements } from '../fields.ts';
import { contactForce } from '../law.ts';
import type { MaterialFields } from '../material.ts';
import { combineMaterials, materialOf, surfaceIn, surfaceOf } from '../material.ts';
import { addPairs, pairsOf } from '../pairs.ts';
import { addStiffness } from '../stability.ts';
import type { ContactPoints } from '../touching.ts';
import { bodyLoads, bodyReads, ownerOf, pointIn } from '../touching.ts';
import type { Solid } from './solid.ts';

/** A component of contact shapes: it has a material and a position. */
export type ShapeComponent = Component & MaterialFields & { readonly position: FieldOf<Vec3> };

/** A kind of shape that points and other shapes touch, and its kernels. */
export interface Shape {
  readonly component: ShapeComponent;
  readonly orientation?: FieldOf<Quat>;
  /** Its core, by which it touches other shapes. */
  readonly solid: Solid;
  /** Creates the kernel over pairs of a point and a shape of a body. */
  readonly onBody: (points: PointsThatTouch, interval: ForceInterval) => (bodies: BodiesThatTouch) => Kernel;
  /** Creates the kernel over pairs of a point and a static shape. */
  readonly inWorld: (points: PointsThatTouch, interval: ForceInterval) => Kernel;
  /**
   * Checks the entities, and adds fields that kernels read besides the component's columns. Contact begins at most at
   * the distance `reach`, m.
   */
  readonly build?: (context: BuildContext, reach: number) => void;
}

/** Body that the shape belongs to, if any; a resource, since references to elements are always required. */
export const body = resource<Entity>({ required: false });

/** Columns for the pose of a shape, for kinds of shape with an orientation. */
export const placement = {
  /** Position relative to the body's centre of mass, in body axes, m; in world axes for a static shape. */
  position: column(vec3, { default: 0, unit: 'm' }),
  /** Quaternion (x, y, z, w), from the shape's axes to the body's or the world's; normalised when the run starts. */
  orientation,
};

/** Fields that kernels over pairs of a point and a shape read. */
const pairReads = (points: PointsThatTouch, component: ShapeComponent) => ({
  ...pointIn(points),
  ...surfaceIn(component),
  ...readsOnElements({ shapePosition: component.position }),
});
const forceOn = ({ force }: PointsThatTouch) => readsOnElements({ force });

/** Signed distance of a point from a surface, m, and the unit normal away from the surface. */
export interface SurfaceDistance {
  readonly distance: F32;
  readonly normal: Vec3;
}
/**
 * Nearness from an interpolated distance, with the norm of its gradient, which differs from 1 where the surface is
 * curved.
 */
export interface SmoothSurfaceDistance extends SurfaceDistance {
  readonly slope: F32;
}
/** A surface as a function from points to signed distance and normal, in axes of a body or of the world. */
export type Surface = (point: Vec3) => SurfaceDistance;

/** Indices and fields that kernels over pairs of a point and a static shape get. */
export type InWorld = { readonly point: Index; readonly shape: Index } & ReadersOf<ReturnType<typeof pairReads>>;
type OnBody = InWorld & { readonly body: Index } & ReadersOf<ReturnType<typeof bodyReads>>;
type Force = AddersOf<ReturnType<typeof forceOn>>;
type Reaction = AddersOf<ReturnType<typeof bodyLoads>>;

/** Returns the contact force on the point, N, with the combined material of point and shape. */
function pressure(c: InWorld, { distance, normal }: SurfaceDistance, velocity: () => Vec3, lead: MotionToState): Vec3 {
  const { point, shape } = c;
  const material = combineMaterials(materialOf(c, point), surfaceOf(c, shape));
  return contactForce(c.thickness.at(point).sub(distance), normal, velocity, material, lead);
}

/** Adds the contact force of a static surface on a point. */
function touchInWorld(c: InWorld & Force, surface: Surface, lead: MotionToState): void {
  const { point } = c;
  c.force.add(
    point,
    pressure(c, surface(c.position.at(point)), () => c.velocity.at(point), lead),
  );
}

/**
 * Adds the contact force of a body's surface on a point, and the reaction on the body. Approach and slip are relative
 * to the body's velocity at the point, and the reaction acts there too, so that momentum and angular momentum are
 * conserved.
 */
function touchOnBody(c: OnBody & Force & Reaction, surface: Surface, lead: MotionToState): void {
  const { point, body } = c;
  const orientation = c.bodyOrientation.at(body);
  const arm = c.position.at(point).sub(c.bodyPosition.at(body));
  const { distance, normal } = surface(rotateInverse(orientation, arm));
  const surfaceVelocity = () => c.bodyVelocity.at(body).add(cross(c.angularVelocity.at(body), arm));
  const relative = () => c.velocity.at(point).sub(surfaceVelocity());
  const f = pressure(c, { distance, normal: rotate(orientation, normal) }, relative, lead);
  c.force.add(point, f);
  c.bodyForce.add(body, f.neg());
  c.torque.add(body, cross(arm, f).neg());
}

const pairsInWorld = (points: PointsThatTouch, shape: ShapeComponent) => pairsOf({ point: points.component, shape });
const pairsOnBody = (points: PointsThatTouch, shape: ShapeComponent, bodies: BodiesThatTouch) =>
  pairsOf({ point: points.component, shape, body: bodies.component });

/** Definition of a kind of shape, for {@link shapeOf}. */
export interface ShapeSpec<R extends Reads> extends Pick<Shape, 'build' | 'solid'> {
  readonly component: ShapeComponent;
  /** Fields that the surface function reads, besides those that all shapes read. */
  readonly reads: R;
  /** Orientation column of kinds of shape that have one; undefined for spheres. */
  readonly orientation?: FieldOf<Quat>;
  /**
   * Returns the surface function: in the shape's own axes if `orientation` is given, otherwise in those of body or
   * world.
   */
  readonly surface: (own: ReadersOf<R>, c: InWorld) => Surface;
}

/** Creates a kind of shape, with its kernels over pairs of a point and a shape. */
export function shapeOf<R extends Reads>(spec: ShapeSpec<R>): Shape {
  const { component, reads, orientation, solid, build } = spec;
  const turned: Partial<WithShapeOrientation> = orientation ? { shapeOrientation: fieldOn(orientation) } : {};
  const orient = orientation && memoise(() => unitOrientation(orientation));
  const surface = (own: ReadersOf<R>, c: InWorld & Partial<ReadersOf<WithShapeOrientation>>): Surface => {
    const inOwnAxes = spec.surface(own, c);
    return c.shapeOrientation ? placeSurface(c.shapeOrientation.at(c.shape), c, inOwnAxes) : inOwnAxes;
  };
  const onBody = memoise((points: PointsThatTouch, interval: ForceInterval) =>
    memoise((bodies: BodiesThatTouch) => {
      const { domain, indices } = pairsOnBody(points, component, bodies);
      return kernelWith(
        `touch_${domain}`,
        {
          domain,
          reads: { ...indices, ...pairReads(points, component), ...turned, ...bodyReads(bodies) },
          adds: { ...forceOn(points), ...bodyLoads(bodies) },
        },
        reads,
        (c, own, moment) => touchOnBody(c, surface(own, c), motionToState(moment, interval)),
      );
    }),
  );
  const inWorld = memoise((points: PointsThatTouch, interval: ForceInterval) => {
    const { domain, indices } = pairsInWorld(points, component);
    return kernelWith(
      `touch_${domain}`,
      { domain, reads: { ...indices, ...pairReads(points, component), ...turned }, adds: forceOn(points) },
      reads,
      (c, own, moment) => touchInWorld(c, surface(own, c), motionToState(moment, interval)),
    );
  });
  return {
    component,
    orientation,
    solid,
    build: (context, reach) => {
      if (orient) context.model.addPass('setup', orient());
      build?.(context, reach);
    },
    onBody,
    inWorld,
  };
}

type WithShapeOrientation = { readonly shapeOrientation: IndexedField<Quat> };

/**
 * Transforms a surface function from the shape's own axes to those of body or world, by its position and orientation.
 */
function placeSurface(orientation: Quat, { shape, shapePosition }: InWorld, surface: Surface): Surface {
  return (point) => {
    const own = surface(rotateInverse(orientation, point.sub(shapePosition.at(shape))));
    return { distance: own.distance, normal: rotate(orientation, own.normal) };
  };
}

/** Adds contact of every point that has contact with every shape of one kind, static or of a body. */
export function addShapeContacts(context: BuildContext, shape: Shape, touching: readonly ContactPoints[]): void {
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
        force: () => onBody(points, intervalOf(model, points))(bodies),
      });
    }
    const rows = numbers.flatMap((point) => shapes.flatMap(({ shape, owner }) => (owner ? [] : [{ point, shape }])));
    addPairs(model, pairsInWorld(points, component), rows, {
      force: () => inWorld(points, intervalOf(model, points)),
    });
  }
}
