import type {
  Adder,
  BuildContext,
  Component,
  Entity,
  F32,
  Index,
  IndexType,
  Kernel,
  OtherDomain,
  Quat,
  Reader,
  Value,
  Vec3,
} from '@gradsim/core';
import { column, cross, index, kernel, on, quat, resource, rotate, rotateInverse, vec3 } from '@gradsim/core';
import { checkOrientation, once, orientation, unitOrientation } from '@gradsim/physics';
import { contactForce } from '../law.ts';
import { combine, materialOf, surfaceIn, surfaceOf } from '../material.ts';
import { bodiesIn } from '../touching.ts';
import { TOUCHING_PARTICLE } from '../touching-particle.ts';

/** Something that particles touch, on a body or standing in the world. */
export interface Shape {
  readonly component: Component;
  /** What it is called in the names of the domains of its contacts. */
  readonly name: string;
  /** Over pairs of a particle and such a shape of a body, with index fields `particle`, `shape` and `body`. */
  readonly onBody: () => Kernel;
  /** Over pairs of a particle and such a shape without a body, with index fields `particle` and `shape`. */
  readonly inWorld: () => Kernel;
  /** Checks what was given, and adds what its kernels read beside the component's columns. */
  readonly build?: (context: BuildContext) => void;
}

/** Whose shape it is; an object column, since references cannot be left out. */
export const body = resource<Entity>({ required: false });

/** Where a shape with axes of its own lies. */
export const placement = {
  /** In body axes from the centre of mass; of a shape without a body, in the world. */
  position: column(vec3, { default: 0, unit: 'm' }),
  /** Quaternion (x, y, z, w), from the shape's axes to the body's or the world's; normalised when the run starts. */
  orientation,
};

/** What kernels read and add to; names that two domains have are told apart as in names.ts. */
const PARTICLE = { particle: index('particles'), ...TOUCHING_PARTICLE } as const;
const shapeFields = (domain: string) => ({
  shape: index(domain),
  ...surfaceIn(domain),
  shapePosition: on(domain, vec3),
});
/** Read beside the others where the shape is a body's. */
const BODY = {
  body: index('bodies'),
  bodyPosition: on('bodies', vec3),
  bodyOrientation: on('bodies', quat),
  bodyVelocity: on('bodies', vec3),
  angularVelocity: on('bodies', vec3),
} as const;

/** Reads of a kernel over particles and shapes in the world. */
const inWorld = (domain: string) => ({ ...PARTICLE, ...shapeFields(domain) });
const FORCE = { force: on('particles', vec3) } as const;
const REACTION = { ...FORCE, bodyForce: on('bodies', vec3), torque: on('bodies', vec3) } as const;

/** What a kernel's function sees of such reads and adds. */
export type FieldsOf<S> = {
  readonly [K in keyof S]: S[K] extends OtherDomain<infer V>
    ? Reader<V>
    : S[K] extends IndexType
      ? Index
      : never;
};
type AddersOf<S> = { readonly [K in keyof S]: S[K] extends OtherDomain<infer V> ? Adder<V> : never };

/** Where a point is to a surface: its signed distance, m, and the unit vector away from the surface. */
export interface Nearness {
  readonly distance: F32;
  readonly normal: Vec3;
}
/** A surface in axes of a body, or of the world. */
export type Surface = (point: Vec3) => Nearness;

/** What a shape's kernels see of the particle and the shape. */
export type InWorld = FieldsOf<ReturnType<typeof inWorld>>;

/** The force on the particle, by the materials of both. */
function forceOn(c: InWorld, { distance, normal }: Nearness, velocity: Vec3, dt: F32): Vec3 {
  const { particle, shape } = c;
  const material = combine(materialOf(c, particle), surfaceOf(c, shape));
  return contactForce(c.thickness.at(particle).sub(distance), normal, velocity, material, dt);
}

/** A particle against a surface in the world. */
function touchInWorld(c: InWorld & AddersOf<typeof FORCE>, surface: Surface, dt: F32): void {
  const { particle } = c;
  c.force.add(particle, forceOn(c, surface(c.position.at(particle)), c.velocity.at(particle), dt));
}

/**
 * A particle against a surface that moves with a body. Approach and slip are relative to the body where the particle
 * is, and the reaction acts there too, so that neither momentum nor angular momentum is lost.
 */
function touchOnBody(
  c: InWorld & FieldsOf<typeof BODY> & AddersOf<typeof REACTION>,
  surface: Surface,
  dt: F32,
): void {
  const { particle, body } = c;
  const orientation = c.bodyOrientation.at(body);
  const arm = c.position.at(particle).sub(c.bodyPosition.at(body));
  const { distance, normal } = surface(rotateInverse(orientation, arm));
  const surfaceVelocity = c.bodyVelocity.at(body).add(cross(c.angularVelocity.at(body), arm));
  const relative = c.velocity.at(particle).sub(surfaceVelocity);
  const f = forceOn(c, { distance, normal: rotate(orientation, normal) }, relative, dt);
  c.force.add(particle, f);
  c.bodyForce.add(body, f.neg());
  c.torque.add(body, cross(arm, f).neg());
}

/** What makes a shape: {@link shapeOf}. */
export interface ShapeSpec<R extends Reads> {
  readonly component: Component;
  /** What it is called in the names of kernels, and of the domains of its contacts. */
  readonly name: string;
  /** What its surface reads, beside the fields of all shapes. */
  readonly reads: R;
  /** Its surface, in axes of the body or the world. */
  readonly surface: (c: InWorld & FieldsOf<R>) => Surface;
  readonly build?: (context: BuildContext) => void;
}
type Reads = Readonly<Record<string, OtherDomain<Value>>>;

/** A shape, with its kernels over pairs of a particle and such a shape of a body, or in the world. */
export function shapeOf<R extends Reads>({ component, name, reads, surface, build }: ShapeSpec<R>): Shape {
  const own = { ...inWorld(component.name), ...reads };
  // What a kernel's function gets is typed by its reads one by one, which a parameter `R` is not.
  type Fields = InWorld & FieldsOf<R>;
  const onBody = once(() =>
    kernel(
      `touch${name}OfBody`,
      { domain: `particle${name}Contacts`, reads: { ...own, ...BODY }, adds: REACTION },
      (c, { dt }) => {
        const fields = c as unknown as Fields & FieldsOf<typeof BODY> & AddersOf<typeof REACTION>;
        touchOnBody(fields, surface(fields), dt);
      },
    ),
  );
  const inWorldAlone = once(() =>
    kernel(
      `touch${name}InWorld`,
      { domain: `particle${name}Obstacles`, reads: own, adds: FORCE },
      (c, { dt }) => {
        const fields = c as unknown as Fields & AddersOf<typeof FORCE>;
        touchInWorld(fields, surface(fields), dt);
      },
    ),
  );
  return { component, name, build, onBody, inWorld: inWorldAlone };
}

/** A shape with axes of its own: `surface` is in those, and what the component has as `placement` puts it. */
export function placedShapeOf<R extends Reads>(spec: ShapeSpec<R>): Shape {
  const { component, reads, surface, build } = spec;
  const orient = once(() => unitOrientation(component.name));
  return shapeOf({
    ...spec,
    reads: { ...reads, shapeOrientation: on(component.name, quat) },
    surface: (c) => placed(c as Placed, surface(c as InWorld & FieldsOf<R>)),
    build: (context) => {
      for (const entity of context.entities(component)) checkOrientation(context.scene, entity, component);
      context.model.addPass('setup', orient());
      build?.(context);
    },
  });
}

type Placed = InWorld & FieldsOf<{ shapeOrientation: OtherDomain<Quat> }>;

/** A surface given in the shape's own axes, where its `position` and `orientation` put it. */
function placed(c: Placed, surface: Surface): Surface {
  const orientation = c.shapeOrientation.at(c.shape);
  return (point) => {
    const own = surface(rotateInverse(orientation, point.sub(c.shapePosition.at(c.shape))));
    return { distance: own.distance, normal: rotate(orientation, own.normal) };
  };
}

/**
 * The number of the body that a shape belongs to; nothing for one in the world.
 * @throws when what it names is no body of the scene.
 */
export function bodyNumber(context: BuildContext, entity: Entity, component: Component): number | undefined {
  const { scene, entities } = context;
  const given = scene.object(entity, component, 'body');
  if (given === undefined) return undefined;
  const bodies = bodiesIn(context);
  const number = bodies ? entities(bodies.component).indexOf(given as Entity) : -1;
  if (number >= 0) return number;
  throw new Error(
    `${scene.describe(entity)}: ${component.name}.body is ${String(given)}, which is no body of the scene${bodies ? '' : '; no plugin has bodies, register @gradsim/rigid'}.`,
  );
}
