import type { Bool, BuildContext, Entity, F32, IndexedField, Reader, Value, Vec3 } from '@gradsim/core';
import {
  column,
  defineAspects,
  dot,
  f32,
  fieldOn,
  max,
  min,
  norm,
  refuseUnknownChoice,
  resource,
  select,
  vec3,
} from '@gradsim/core';
import type { Grid } from '@gradsim/dynamics';
import { carrierOf } from './carrier.ts';
import type { WallShape } from './wall-shapes.ts';
import { WALL_SHAPES } from './wall-shapes.ts';

/**
 * What material does at a wall: it is held (`stick`), moves along it and never off (`slip`), or leaves freely and has
 * Coulomb friction where it presses (`separate`).
 */
export type Grip = 'stick' | 'slip' | 'separate';
const GRIPS: readonly Grip[] = ['stick', 'slip', 'separate'];

/**
 * How a half-space or a shape of contact holds material points. Without it, they separate and have no friction.
 *
 * ```ts
 * const floor = scene.add(HalfSpace, {});
 * scene.attach(floor, wallOf(HalfSpace), { grip: 'separate', wallFriction: 0.4 });
 * ```
 */
export const wallOf = defineAspects('wallOf', {
  /** `stick`, `slip` or `separate`. */
  grip: resource<Grip>({ required: false }),
  /** Coulomb's coefficient, of walls from which material separates. */
  wallFriction: column(f32, { default: 0, range: 'nonNegative' }),
});

/** Distance from a wall within which a node lies on it and is held, in spacings: more than rounding. */
const ON_SURFACE = 1e-3;

type Fields = Readonly<Record<string, IndexedField>>;
/** Readers and adders of a kernel, by name. */
type Handles = Readonly<Record<string, unknown>>;

/** A node that moves freely. */
interface FreeNode {
  readonly place: Vec3;
  readonly velocity: Vec3;
  readonly mass: F32;
  readonly dt: F32;
}

/** Walls of a scene: what the kernel of nodes reads and adds to, and the velocity that they leave a node. */
export interface Walls {
  readonly reads: Fields;
  readonly adds: Fields;
  readonly velocityAlongWalls: (node: FreeNode, handles: Handles) => Vec3;
}

/**
 * Velocity, relative to a wall with the outward normal n, of a node inside. Source: A. Stomakhin et al., A MPM for Snow,
 * 2013.
 */
function velocityAtWall(v: Vec3, n: Vec3, grip: Grip, friction: F32): Vec3 {
  if (grip === 'stick') return vec3(0, 0, 0);
  const off = dot(v, n);
  if (grip === 'slip') return v.sub(n.mul(off));
  const slide = v.sub(n.mul(min(off, 0)));
  const press = max(off.neg(), 0).mul(friction);
  // Without pressure the node moves freely, with its speed off the wall.
  return slide.mul(max(f32(1).sub(press.div(max(norm(slide), 1e-30))), 0));
}

/** Returns the walls of a scene: half-spaces, and shapes of contact, which bodies may have. */
export function wallsOf(context: BuildContext, { size, spacing }: Pick<Grid, 'size' | 'spacing'>): Walls {
  const walls = WALL_SHAPES.flatMap((shape) => wallsOfShape(context, shape));
  return {
    reads: Object.assign({}, ...walls.map(({ reads }) => reads)),
    adds: Object.assign({}, ...walls.map(({ adds }) => adds)),
    velocityAlongWalls: (node, handles) =>
      walls.reduce((velocity, { velocityAfter }) => {
        const { isInside, after, push } = velocityAfter({ ...node, velocity }, handles, spacing * ON_SURFACE);
        // Beyond the grid's axes nothing moves.
        const kept = velocity.components.map((c, axis) =>
          axis < size.length ? select(isInside, after.components[axis], c) : c,
        );
        const next = vec3(...(kept as [F32, F32, F32]));
        push?.(velocity.sub(next).mul(node.mass.div(node.dt)));
        return next;
      }, node.velocity),
  };
}

/** A wall: what its surface depends on, and what it does to a node. */
interface Wall {
  readonly reads: Fields;
  readonly adds: Fields;
  readonly velocityAfter: (
    node: FreeNode,
    handles: Handles,
    onSurface: number,
  ) => { readonly isInside: Bool; readonly after: Vec3; readonly push?: (force: Vec3) => void };
}

function wallsOfShape(context: BuildContext, shape: WallShape): Wall[] {
  const { scene, entities } = context;
  const { component, fields, surface } = shape;
  const aspect = wallOf(component);
  const isAttached = (entity: Entity): boolean => scene.has(entity, aspect.name);
  const own = entities(component).some(isAttached) ? { ...fields, wallFriction: aspect.wallFriction } : fields;
  const nameOf = (name: string): string => `${component.domain}_${name}`;
  const reads: Fields = Object.fromEntries(Object.entries(own).map(([name, field]) => [nameOf(name), fieldOn(field)]));
  return entities(component).map((entity, k): Wall => {
    const given = (isAttached(entity) ? scene.object(entity, aspect, 'grip') : undefined) as Grip | undefined;
    if (given !== undefined) refuseUnknownChoice(`${scene.describe(entity)}: grip`, given, GRIPS);
    const grip = given ?? 'separate';
    const carrier = carrierOf(context, entity, component);
    return {
      reads: { ...reads, ...carrier?.reads },
      adds: { ...carrier?.adds },
      velocityAfter: ({ place, velocity }, handles, onSurface) => {
        const read = <V extends Value>(name: string): V => (handles[nameOf(name)] as Reader<V>).at(k);
        const friction = 'wallFriction' in own ? read<F32>('wallFriction') : f32(0);
        const body = carrier?.pointAt(place, handles);
        const { distance, normal } = surface(body?.place ?? place, read);
        const moved = body?.velocity ?? vec3(0, 0, 0);
        return {
          isInside: distance.lt(onSurface),
          after: velocityAtWall(velocity.sub(moved), body?.toWorldAxes(normal) ?? normal, grip, friction).add(moved),
          push: body?.push,
        };
      },
    };
  });
}
