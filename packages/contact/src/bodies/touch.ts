import type { Bool, F32, Index, Kernel, Quat, U32, Vec3, Vec4 } from '@gradsim/core';
import {
  abs,
  cross,
  dot,
  f32,
  fieldOn,
  forRange,
  kernel,
  max,
  min,
  norm,
  rotate,
  rotateInverse,
  select,
  u32,
  vec3,
  vjp,
  when,
} from '@gradsim/core';
import type { ForceInterval, MotionToState, SubstepClock } from '@gradsim/dynamics';
import { motionToState } from '@gradsim/dynamics';
import type { ReadersOf } from '../fields.ts';
import { readsOnElements } from '../fields.ts';
import { contactForce } from '../law.ts';
import type { Material } from '../material.ts';
import { combineMaterials } from '../material.ts';
import { nearBox } from '../shapes/box.ts';
import { gridReads, nearMesh } from '../shapes/mesh.ts';
import type { SmoothSurfaceDistance, SurfaceDistance } from '../shapes/shape.ts';
import type { PlacedEdge } from './edges.ts';
import { crossingOf } from './edges.ts';
import { corner, edge, fixedPairs, force, placedShape, search, shapeConstants, torque } from './fields.ts';
import { hasSurface } from './shapes.ts';

/**
 * Kinds of shape in the scene, so that kernels contain only the code they need; and the numbers of shapes, corners and
 * edges.
 */
export interface PresentShapes {
  readonly meshes: boolean;
  readonly edges: boolean;
  /** Time that contact forces stand for. */
  readonly interval: ForceInterval;
  /** Numbers of shapes, corners and edges. Clamping indices to them lets the compiler omit bounds checks. */
  readonly counts: Readonly<Record<'shapes' | 'corners' | 'edges', number>>;
}

const shapesIn = readsOnElements({ ...placedShape, ...shapeConstants, corner, ...edge });
const gridReadsIfMeshes = ({ meshes }: PresentShapes): Partial<typeof gridReads> => (meshes ? gridReads : {});
type Grids = ReadersOf<typeof gridReads>;
type Shapes = ReadersOf<typeof shapesIn> & Partial<Grids>;
const hasGrids = (c: Shapes): c is Shapes & Grids => c.coefficient !== undefined;
const loadAdders = readsOnElements({ force, torque });

/** A shape with its pose, velocity, core size and material. */
interface Solid {
  readonly number: U32;
  readonly x: Vec3;
  readonly q: Quat;
  readonly v: Vec3;
  readonly w: Vec3;
  readonly half: Vec3;
  readonly radius: F32;
  readonly material: Vec4;
  readonly kind: U32;
  /** Half edge lengths of the core's bounding box, in the shape's own axes, m. */
  readonly bounds: Vec3;
}

function solidAt(c: Shapes, at: U32 | Index): Solid {
  const half = c.half.at(at);
  return {
    number: at,
    x: c.x.at(at),
    q: c.q.at(at),
    v: c.v.at(at),
    w: c.w.at(at),
    half,
    radius: c.radius.at(at),
    material: c.material.at(at),
    kind: c.kind.at(at),
    bounds: c.extent.at(at).mul(half),
  };
}

const materialOf = ({ x, y, z, w }: Vec4): Material => ({ ke: x, kd: y, kf: z, mu: w });

/** Force on the first of two solids, N, and its moment about the centre of the second, N m, in axes of the second. */
type Wrench = { readonly f: Vec3; readonly moment: Vec3 };
/** Returns a wrench of zero force and moment. */
const zeroWrench = (): Wrench => ({ f: vec3(0, 0, 0), moment: vec3(0, 0, 0) });

/** Returns the maps of points and directions of solid `a` into axes of solid `b`, relative to b's centre. */
function axesTransform(a: Solid, b: Solid) {
  const turn = b.q.conjugate().mul(a.q);
  const [x, v, w] = [a.x.sub(b.x), a.v.sub(b.v), a.w].map((of) => rotateInverse(b.q, of));
  const own = rotateInverse(b.q, b.w);
  return {
    place: (local: Vec3): Vec3 => x.add(rotate(turn, local)),
    way: (local: Vec3): Vec3 => rotate(turn, local),
    /** Velocity of a's material relative to b's at a point given in b's axes, m/s. */
    velocity: (p: Vec3): Vec3 => v.add(cross(w, p.sub(x))).sub(cross(own, p)),
  };
}
type AxesTransform = ReturnType<typeof axesTransform>;

/** Data shared by all contacts of one solid with another. */
interface SolidPair {
  /** Maps from the first to axes of the second. */
  readonly firstToSecond: AxesTransform;
  readonly material: Material;
  readonly motion: MotionToState;
  /** Distance outside of contact, m, at which what leaves may still have been pressed within the time of the force. */
  readonly outside: F32;
}

/**
 * Adds a contact force to a wrench. It acts on the normal halfway between both surfaces, so that the forces on both
 * solids have the same line of action.
 */
function addContactForce(
  before: Wrench,
  { distance, normal, point: at, reach, weight }: SurfaceDistance & { point: Vec3; reach: F32; weight: F32 },
  radius: F32,
  { firstToSecond, material, motion }: SolidPair,
): Wrench {
  const depth = reach.sub(distance);
  const point = at.sub(normal.mul(radius.sub(depth.mul(0.5))));
  const f = contactForce(depth, normal, () => firstToSecond.velocity(point), material, motion).mul(weight);
  return { f: before.f.add(f), moment: before.moment.add(cross(point, f)) };
}

/**
 * Contact of the corners of `a`, each a ball of a's radius, with the surface of `b`. If `b` is a mesh, the points along
 * the segment of a capsule `a` count as corners.
 */
function cornersOn(c: Shapes, a: Solid, b: Solid, between: SolidPair, { counts }: PresentShapes): Wrench {
  const { firstToSecond, outside } = between;
  const first = c.firstCorner.at(a.number);
  const corners = c.cornerCount.at(a.number);
  const all = hasGrids(c)
    ? corners.add(select(hasSurface(b.kind, 'sampled'), c.alongCount.at(a.number), u32(0)))
    : corners;
  return forRange(first, min(first.add(all), counts.corners), zeroWrench(), (k, before) => {
    const at = firstToSecond.place(c.corner.at(k).mul(a.half));
    const reach = a.radius;
    return when(
      boundsDistance(at, b).lt(reach.add(outside)),
      () => {
        // With the slope, the force is that of an energy, ke C^2 / 2, even where the distance is not exact.
        const { slope: weight, ...near } = nearSolid(c, b, at, reach);
        return addContactForce(before, { ...near, point: at, reach, weight }, reach, between);
      },
      () => before,
    );
  });
}

/** Returns a lower bound of the distance of a point, given in the solid's axes, to the solid, m. */
function boundsDistance(p: Vec3, { bounds, radius }: Solid): F32 {
  const [x, y, z] = p.components.map((coordinate, k) => max(abs(coordinate).sub(bounds.components[k].add(radius)), 0));
  return norm(vec3(x, y, z));
}

/**
 * Returns whether an edge may be within `reach` of a solid's core: whether their bounding boxes in the solid's axes
 * are.
 */
function isInReach(middle: Vec3, along: Vec3, { bounds }: Solid, reach: F32): Bool {
  const [x, y, z] = middle.components.map((coordinate, k) =>
    abs(coordinate).sub(abs(along.components[k]).mul(0.5)).sub(bounds.components[k]),
  );
  return max(x, max(y, z)).lt(reach);
}

/**
 * Returns signed distance, normal and slope of a solid's surface at a point in its axes: of a box with sharp edges, of
 * a mesh from its grid, of a sphere or capsule as the distance from the core minus the radius.
 */
function nearSolid(c: Shapes, b: Solid, point: Vec3, reach: F32): SmoothSurfaceDistance {
  const round = (): SmoothSurfaceDistance => {
    // For a box, that of its sharp surface: rounding would push corners near the edge of a face off it.
    const grown = select(hasSurface(b.kind, 'sharp'), b.radius, f32(0));
    const { distance, normal } = nearBox(point, b.half.add(vec3(grown, grown, grown)).mul(2));
    return { distance: distance.sub(b.radius).add(grown), normal, slope: f32(1) };
  };
  if (!hasGrids(c)) return round();
  return when(hasSurface(b.kind, 'sampled'), () => ({ ...nearMesh(c, c.mesh.at(b.number), point, reach) }), round);
}

/** Contact where edges of both solids cross. */
function edgesCrossing(c: Shapes, a: Solid, b: Solid, between: SolidPair, { counts }: PresentShapes): Wrench {
  const { firstToSecond, material, outside } = between;
  const reach = a.radius.add(b.radius);
  const near = reach.add(outside);
  const [firstA, firstB] = [c.firstEdge.at(a.number), c.firstEdge.at(b.number)];
  const endOf = (first: U32, of: Solid): U32 => min(first.add(c.edgeCount.at(of.number)), counts.edges);
  const [endA, endB] = [endOf(firstA, a), endOf(firstB, b)];
  return forRange(firstA, endA, zeroWrench(), (i, before) => {
    const one: PlacedEdge = {
      from: firstToSecond.place(c.from.at(i).mul(a.half)),
      to: firstToSecond.place(c.to.at(i).mul(a.half)),
      inward: firstToSecond.way(c.inward.at(i)),
      otherInward: firstToSecond.way(c.otherInward.at(i)),
    };
    const along = one.to.sub(one.from);
    const middle = one.from.add(one.to).mul(0.5);
    return when(
      isInReach(middle, along, b, near),
      () =>
        forRange(firstB, endB, before, (j, sum) => {
          const [from, to] = [c.from.at(j).mul(b.half), c.to.at(j).mul(b.half)];
          // Within reach along the common normal, in either direction.
          const across = cross(along, to.sub(from));
          const gap = dot(across, one.from.sub(from));
          const far = near.mul(2);
          return when(
            gap.mul(gap).lt(dot(across, across).mul(far.mul(far))),
            () => {
              const other = { from, to, inward: c.inward.at(j), otherInward: c.otherInward.at(j) };
              const crossing = crossingOf(one, other, reach);
              return when(
                crossing.weight.gt(0).and(crossing.distance.lt(near)),
                () => {
                  const depth = max(reach.sub(crossing.distance), 0);
                  const energy = material.ke.mul(depth).mul(depth).mul(0.5);
                  const { f, moment } = addContactForce(sum, { ...crossing, reach }, a.radius, between);
                  const turn = crossingWeightForce(one, other, reach, energy);
                  return { f: f.add(turn.f), moment: moment.add(turn.moment) };
                },
                () => sum,
              );
            },
            () => sum,
          );
        }),
      () => before,
    );
  });
}

/**
 * Force on the first solid that comes from the changing weight of a crossing. Its energy is weight ke C^2 / 2, with the
 * penetration C, so besides the weighted contact force there is -ke C^2 / 2 times the gradient of the weight. Without
 * it, energy would not be conserved where edges turn or slide while in contact.
 */
function crossingWeightForce(one: PlacedEdge, other: PlacedEdge, reach: F32, energy: F32): Wrench {
  const { from: from2, to: to2, inward: in2, otherInward: otherIn2 } = other;
  const { from, to, inward, otherInward } = vjp(
    (e) => ({
      share: crossingOf(e, { from: e.from2, to: e.to2, inward: e.in2, otherInward: e.otherIn2 }, e.reach).weight,
    }),
    { ...one, from2, to2, in2, otherIn2, reach },
    { share: energy.neg() },
  );
  return {
    f: from.add(to),
    moment: cross(one.from, from)
      .add(cross(one.to, to))
      .add(cross(one.inward, inward))
      .add(cross(one.otherInward, otherInward)),
  };
}

interface LoadAdders {
  readonly force: { add(at: U32 | Index, f: Vec3): void };
  readonly torque: { add(at: U32 | Index, f: Vec3): void };
}

/** Adds the contact forces and torques between two shapes to both. */
function addShapeContact(
  c: Shapes & LoadAdders,
  one: U32 | Index,
  other: U32 | Index,
  kinds: PresentShapes,
  moment: SubstepClock,
): void {
  const [a, b] = [solidAt(c, one), solidAt(c, other)];
  const apart = b.x.sub(a.x);
  const [reachOfA, reachOfB] = [a, b].map(({ bounds, radius }) => norm(bounds).add(radius));
  const motion = motionToState(moment, kinds.interval);
  // No less than half of the greatest displacement of a point of one relative to the other, without square roots.
  const most = ({ x, y, z }: Vec3): F32 => abs(x).add(abs(y)).add(abs(z));
  const speed = most(a.v.sub(b.v)).add(most(a.w).mul(reachOfA)).add(most(b.w).mul(reachOfB));
  const outside = speed.mul(motion.time).mul(0.5);
  const reach = reachOfA.add(reachOfB).add(outside);
  when(dot(apart, apart).lt(reach.mul(reach)), () => {
    const material = combineMaterials(materialOf(a.material), materialOf(b.material));
    const [isBall, isOther] = [a, b].map(({ kind }) => hasSurface(kind, 'ball'));
    const [onB, onA] = [axesTransform(a, b), axesTransform(b, a)].map((firstToSecond) => ({
      firstToSecond,
      material,
      motion,
      outside,
    }));
    // Corners are not tested against a ball: the ball's centre is tested against the whole other shape.
    const ofA = when(isBall.or(isOther.not()), () => cornersOn(c, a, b, onB, kinds), zeroWrench);
    const ofB = when(isBall.not(), () => cornersOn(c, b, a, onA, kinds), zeroWrench);
    const crossing = kinds.edges
      ? when(isBall.or(isOther).not(), () => edgesCrossing(c, a, b, onB, kinds), zeroWrench)
      : zeroWrench();
    // Force on a, in world axes, with the moment about b; forces from b's corners act on a reversed, about a.
    const f = rotate(b.q, ofA.f.add(crossing.f));
    const momentOnB = rotate(b.q, ofA.moment.add(crossing.moment));
    const back = rotate(a.q, ofB.f);
    const momentOnA = rotate(a.q, ofB.moment);
    // p x f about a equals that about b plus (b - a) x f.
    const total = f.sub(back);
    c.force.add(one, total);
    c.force.add(other, total.neg());
    c.torque.add(one, momentOnB.add(cross(apart, f)).sub(momentOnA));
    c.torque.add(other, momentOnA.sub(cross(apart, back)).sub(momentOnB));
  });
}

/** Kernel over the entries of neighbour lists that adds contact forces of the listed pairs. */
export function contactOfNeighbours(room: number, kinds: PresentShapes): Kernel {
  return kernel(
    'touchNear',
    {
      domain: search.near.domain,
      reads: { ...shapesIn, ...gridReadsIfMeshes(kinds), near: search.near, nearCount: fieldOn(search.nearCount) },
      adds: loadAdders,
    },
    (c, moment) => {
      const { element } = moment;
      const one = element.div(u32(room));
      when(element.sub(one.mul(room)).lt(c.nearCount.at(one)), () =>
        addShapeContact(c, one, min(c.near, kinds.counts.shapes - 1), kinds, moment),
      );
    },
  );
}

/** Kernel that adds contact forces of the pairs fixed when the model is built. */
export function contactOfFixedPairs(kinds: PresentShapes): Kernel {
  return kernel(
    'touchStanding',
    {
      domain: fixedPairs.one.domain,
      reads: { ...shapesIn, ...gridReadsIfMeshes(kinds), one: fixedPairs.one, other: fixedPairs.other },
      adds: loadAdders,
    },
    (c, moment) => addShapeContact(c, c.one, c.other, kinds, moment),
  );
}
