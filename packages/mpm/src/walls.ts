import { HalfSpace } from '@gradsim/contact';
import type { BuildContext, Entity, F32, OtherDomain, Reader, Vec3 } from '@gradsim/core';
import {
  column,
  defineAspects,
  dot,
  f32,
  fieldOn,
  max,
  min,
  norm,
  normalize,
  refuseUnknownChoice,
  resource,
  select,
  vec3,
} from '@gradsim/core';

/**
 * What material does at a wall: it is held (`stick`), moves along it and never off (`slip`), or leaves freely and has
 * Coulomb friction where it presses (`separate`).
 */
export type Grip = 'stick' | 'slip' | 'separate';
const GRIPS: readonly Grip[] = ['stick', 'slip', 'separate'];

/**
 * How a half-space holds material points. Without it, they separate and have no friction.
 *
 * ```ts
 * const floor = scene.add(HalfSpace, {});
 * scene.attach(floor, wallOf(HalfSpace), { grip: 'separate', friction: 0.4 });
 * ```
 */
export const wallOf = defineAspects('wallOf', {
  /** `stick`, `slip` or `separate`. */
  grip: resource<Grip>({ required: false }),
  /** Coulomb's coefficient, of walls from which material separates. */
  wallFriction: column(f32, { default: 0, range: 'nonNegative' }),
});

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
  const speed = norm(slide);
  // Without pressure the node moves freely, with its speed off the wall.
  return slide.mul(max(f32(1).sub(press.div(max(speed, 1e-30))), 0));
}

/** Returns the walls of a scene. */
export function wallsOf({ scene, entities }: BuildContext): Walls {
  const halfSpaces = entities(HalfSpace);
  if (halfSpaces.length === 0) return { reads: {}, along: (_, velocity) => velocity };
  const aspect = wallOf(HalfSpace);
  const isAttached = (entity: Entity): boolean => scene.has(entity, aspect.name);
  const gripOf = (entity: Entity): Grip => {
    const grip = (isAttached(entity) ? scene.object(entity, aspect, 'grip') : undefined) as Grip | undefined;
    if (grip !== undefined) refuseUnknownChoice(`${scene.describe(entity)}: grip`, grip, GRIPS);
    return grip ?? 'separate';
  };
  const grips = halfSpaces.map(gripOf);
  const hasFriction = halfSpaces.some(isAttached);
  return {
    reads: {
      wallNormal: fieldOn(HalfSpace.normal),
      wallOffset: fieldOn(HalfSpace.offset),
      ...(hasFriction ? { wallFriction: fieldOn(aspect.wallFriction) } : {}),
    },
    along: (place, velocity, surfaces) =>
      grips.reduce((v, grip, k) => {
        const { wallNormal, wallOffset, wallFriction } = surfaces as unknown as Surfaces;
        const n = normalize(wallNormal.at(k));
        const isInside = dot(n, place).lt(wallOffset.at(k));
        const after = held(v, n, grip, wallFriction?.at(k) ?? f32(0));
        return vec3(...(v.components.map((c, axis) => select(isInside, after.components[axis], c)) as [F32, F32, F32]));
      }, velocity),
  };
}

interface Surfaces {
  readonly wallNormal: Reader<Vec3>;
  readonly wallOffset: Reader<F32>;
  /** Absent where no wall says anything of its own. */
  readonly wallFriction?: Reader<F32>;
}
