import type { BuildContext, Entity, F32, OtherDomain, Reader, Value, Vec3 } from '@gradsim/core';
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

type Fields = Readonly<Record<string, OtherDomain>>;
type Readers = Readonly<Record<string, unknown>>;

/** Walls of a scene: what the kernel of nodes reads of them, and the velocity that they leave a node. */
export interface Walls {
  readonly reads: Fields;
  readonly along: (place: Vec3, velocity: Vec3, surfaces: Readers) => Vec3;
}

/** Velocity of a node inside a wall with the outward normal n. Source: A. Stomakhin et al., A MPM for Snow, 2013. */
function held(v: Vec3, n: Vec3, grip: Grip, friction: F32): Vec3 {
  if (grip === 'stick') return vec3(0, 0, 0);
  const off = dot(v, n);
  if (grip === 'slip') return v.sub(n.mul(off));
  const slide = v.sub(n.mul(min(off, 0)));
  const press = max(off.neg(), 0).mul(friction);
  // Without pressure the node moves freely, with its speed off the wall.
  return slide.mul(max(f32(1).sub(press.div(max(norm(slide), 1e-30))), 0));
}

/** Returns the walls of a scene: half-spaces, and shapes that no body has. */
export function wallsOf(context: BuildContext, spacing: number): Walls {
  const all = WALL_SHAPES.map((shape) => wallsOfShape(context, shape, spacing * ON_SURFACE));
  return {
    reads: Object.assign({}, ...all.map(({ reads }) => reads)),
    along: (place, velocity, surfaces) => all.reduce((v, { along }) => along(place, v, surfaces), velocity),
  };
}

function wallsOfShape(
  { scene, model, entities }: BuildContext,
  { component, fields, surface }: WallShape,
  onSurface: number,
): Walls {
  const aspect = wallOf(component);
  const isAttached = (entity: Entity): boolean => scene.has(entity, aspect.name);
  const gripOf = (entity: Entity): Grip => {
    const grip = (isAttached(entity) ? scene.object(entity, aspect, 'grip') : undefined) as Grip | undefined;
    if (grip !== undefined) refuseUnknownChoice(`${scene.describe(entity)}: grip`, grip, GRIPS);
    return grip ?? 'separate';
  };
  const walls = entities(component).flatMap((entity, k) => {
    if (!('body' in component.columns) || scene.object(entity, component, 'body') === undefined)
      return [{ k, grip: gripOf(entity) }];
    model.addWarning(`${scene.describe(entity)} belongs to a body, and material points pass through bodies.`);
    return [];
  });
  if (walls.length === 0) return { reads: {}, along: (_, velocity) => velocity };
  const own = entities(component).some(isAttached) ? { ...fields, wallFriction: aspect.wallFriction } : fields;
  const nameOf = (name: string): string => `${component.domain}_${name}`;
  const reads = Object.entries(own).map(([name, field]) => [nameOf(name), fieldOn(field)]);
  return {
    reads: Object.fromEntries(reads),
    along: (place, velocity, surfaces) =>
      walls.reduce((v, { k, grip }) => {
        const read = <V extends Value>(name: string): V => (surfaces[nameOf(name)] as Reader<V>).at(k);
        const { distance, normal } = surface(place, read);
        const after = held(v, normal, grip, 'wallFriction' in own ? read('wallFriction') : f32(0));
        const isInside = distance.lt(onSurface);
        return vec3(...(v.components.map((c, axis) => select(isInside, after.components[axis], c)) as [F32, F32, F32]));
      }, velocity),
  };
}
