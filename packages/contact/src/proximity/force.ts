import type { Bool, Index, Kernel, U32, Vec3 } from '@gradsim/core';
import { adjointOf, f32, fieldOn, forRange, indexOn, kernel, min, vec3, vec4, vjp, when } from '@gradsim/core';
import type { MotionToState, SubstepClock } from '@gradsim/dynamics';
import { motionToState } from '@gradsim/dynamics';
import type { ReadersOf } from '../fields.ts';
import { pointIn } from '../touching.ts';
import type { Search, SurfaceFields } from './fields.ts';
import type { Pair, ThickPoint, Vertex } from './pair.ts';
import { depthOf, pairForces, pairOf } from './pair.ts';

/*
 * A pair's forces are computed twice, by its point and by its triangle, so that each sums up what acts on itself and
 * nothing is scattered to places that are known only in the run. Their adjoint goes the same way: both kernels of it
 * belong to the first of the two passes, for what a position is felt by is spread over both.
 */

type State = ReadersOf<ReturnType<typeof pointIn>>;

const skinOfPoint = (s: State, at: U32): ThickPoint => ({ x: s.position.at(at), thickness: s.thickness.at(at) });
const vertexOf = (s: State, at: U32, skin: ThickPoint = skinOfPoint(s, at)): Vertex => ({
  ...skin,
  v: s.velocity.at(at),
  material: vec4(s.ke.at(at), s.kd.at(at), s.kf.at(at), s.mu.at(at)),
});

/**
 * Point or triangle of a pair: point indices, positions and thicknesses. Velocity and material are read only in
 * contact.
 */
interface PairSide {
  readonly points: readonly U32[];
  readonly skins: readonly ThickPoint[];
}
const pairSideOf = (s: State, points: readonly U32[]): PairSide => ({
  points,
  skins: points.map((at) => skinOfPoint(s, at)),
});
const verticesOf = (s: State, { points, skins }: PairSide): Vertex[] =>
  points.map((at, k) => vertexOf(s, at, skins[k]));

const byPoint = (fields: SurfaceFields) => ({
  ...pointIn(fields.points),
  corner: indexOn(fields.corner),
  nearTriangle: fieldOn(fields.nearTriangle),
  nearCount: fields.nearCount,
});
const byTriangle = (fields: SurfaceFields) => ({
  ...pointIn(fields.points),
  vertices: fields.vertices,
  nearPoint: fieldOn(fields.nearPoint),
  nearCount: fields.triangle.nearCount,
});

/**
 * Returns entry k of an element's list of capacity `room`, clamped to below `size`. The search only stores such
 * entries; the clamp shows the bound to the compiler, so that reads need no check.
 */
const listEntry = (list: { at(at: U32): U32 }, element: U32, k: U32, room: number, size: number): U32 =>
  min(list.at(element.mul(room).add(k)), size - 1);

const cornersOf = (corner: { at(at: U32): Index }, triangle: U32): Index[] =>
  [0, 1, 2].map((k) => corner.at(triangle.mul(3).add(k)));

const zeroVertexAdjoint = () => vec3(0, 0, 0);

/** Data shared by all pairs of a substep: the motion that led to it, and which pairs may press each other. */
interface SubstepMotion {
  readonly lead: MotionToState;
  /** Returns whether a point and a triangle touch, or are no further apart than those that have just left. */
  isNear(point: ThickPoint, triangle: readonly ThickPoint[]): Bool;
}
function substepMotion({ interval, margins }: Search, moment: SubstepClock): SubstepMotion {
  const lead = motionToState(moment, interval);
  const outside = lead.isAtEnd ? f32(0) : margins.outside(lead.time);
  return { lead, isNear: (point, triangle) => depthOf(point, triangle).add(outside).gt(0) };
}

/** Kernel over points that adds the contact forces on each point from the triangles in its neighbour list. */
export function touchSurface(search: Search): Kernel {
  const { fields, room, sizes } = search;
  return kernel(
    'touchSurface',
    {
      domain: fields.points.component,
      reads: byPoint(fields),
      adds: { force: fields.points.force },
      adjoint: () => [adjointByPoint(search), adjointByTriangle(search)],
    },
    ({ corner, nearTriangle, nearCount, force, ...state }, moment) => {
      const { element } = moment;
      const { lead, isNear } = substepMotion(search, moment);
      const own = vertexOf(state, element);
      const sum = forRange(0, min(nearCount, room), zeroVertexAdjoint(), (k, before) => {
        const near = listEntry(nearTriangle, element, k, room, sizes.triangles);
        const triangle = pairSideOf(state, cornersOf(corner, near));
        return when(
          isNear(own, triangle.skins),
          () => before.add(pairForces(pairOf(own, verticesOf(state, triangle), lead), lead.isAtEnd).f0),
          () => before,
        );
      });
      force.add(sum);
    },
  );
}

/**
 * Kernel over triangles that adds the contact forces on each triangle's corners from the points in its neighbour list.
 */
export function reactOnSurface(search: Search): Kernel {
  const { fields, room, sizes } = search;
  return kernel(
    'reactOnSurface',
    {
      domain: fields.vertices.domain,
      reads: byTriangle(fields),
      adds: { force: fieldOn(fields.points.force) },
      // The adjoint of `touchSurface` covers both.
      adjoint: () => [],
    },
    ({ vertices, nearPoint, nearCount, force, ...state }, moment) => {
      const { element } = moment;
      const { lead, isNear } = substepMotion(search, moment);
      const own = vertices.map((at) => vertexOf(state, at));
      const sums = forRange(
        0,
        min(nearCount, room),
        { f1: zeroVertexAdjoint(), f2: zeroVertexAdjoint(), f3: zeroVertexAdjoint() },
        (k, before) => {
          const point = pairSideOf(state, [listEntry(nearPoint, element, k, room, sizes.points)]);
          return when(
            isNear(point.skins[0], own),
            () => {
              const pair = pairOf(verticesOf(state, point)[0], own, lead);
              const { f1, f2, f3 } = pairForces(pair, lead.isAtEnd);
              return { f1: before.f1.add(f1), f2: before.f2.add(f2), f3: before.f3.add(f3) };
            },
            () => before,
          );
        },
      );
      [sums.f1, sums.f2, sums.f3].forEach((f, k) => force.add(vertices[k], f));
    },
  );
}

/** Returns the adjoints of a pair's inputs, given the adjoints of the forces on its point and on its corners. */
const pairAdjoint = (pair: Pair, { isAtEnd }: MotionToState, point: Vec3, [f1, f2, f3]: readonly Vec3[]): Pair =>
  vjp((inputs: Pair) => pairForces(inputs, isAtEnd), pair, { f0: point, f1, f2, f3 });

/** `VertexAdjoint`: adjoints of a point's contact data. `CornerAdjoints`: those of a triangle's three corners, as loop variables. */
type VertexAdjoint = Pick<Vertex, keyof Vertex>;
type CornerAdjoints = Pick<Pair, `${'x' | 'v' | 'm' | 'd'}${1 | 2 | 3}`>;

const zeroAdjoints: () => VertexAdjoint = () => ({
  x: zeroVertexAdjoint(),
  v: zeroVertexAdjoint(),
  material: vec4(0, 0, 0, 0),
  thickness: f32(0),
});
const plus = (a: VertexAdjoint, b: VertexAdjoint): VertexAdjoint => ({
  x: a.x.add(b.x),
  v: a.v.add(b.v),
  material: a.material.add(b.material),
  thickness: a.thickness.add(b.thickness),
});
const namedCornerAdjoints = ([a, b, c]: readonly VertexAdjoint[]): CornerAdjoints => ({
  x1: a.x,
  x2: b.x,
  x3: c.x,
  v1: a.v,
  v2: b.v,
  v3: c.v,
  m1: a.material,
  m2: b.material,
  m3: c.material,
  d1: a.thickness,
  d2: b.thickness,
  d3: c.thickness,
});
const cornerBars = (b: CornerAdjoints): readonly VertexAdjoint[] => [
  { x: b.x1, v: b.v1, material: b.m1, thickness: b.d1 },
  { x: b.x2, v: b.v2, material: b.m2, thickness: b.d2 },
  { x: b.x3, v: b.v3, material: b.m3, thickness: b.d3 },
];

function adjointByPoint(search: Search): Kernel {
  const { fields, room, sizes } = search;
  const { points, position, velocity, ke, kd, kf, mu, thickness } = fields;
  return kernel(
    'touchSurface_adjointByPoint',
    {
      domain: points.component,
      reads: { ...byPoint(fields), forceBar: adjointOf('force', fieldOn(points.force)) },
      adds: {
        positionBar: adjointOf(position),
        velocityBar: adjointOf(velocity),
        keBar: adjointOf(ke),
        kdBar: adjointOf(kd),
        kfBar: adjointOf(kf),
        muBar: adjointOf(mu),
        thicknessBar: adjointOf(thickness),
      },
    },
    (c, moment) => {
      const { element } = moment;
      const { lead, isNear } = substepMotion(search, moment);
      const own = vertexOf(c, element);
      const ownBar = c.forceBar.at(element);
      const { x, v, material, thickness } = forRange(0, min(c.nearCount, room), zeroAdjoints(), (k, before) => {
        const near = listEntry(c.nearTriangle, element, k, room, sizes.triangles);
        const triangle = pairSideOf(c, cornersOf(c.corner, near));
        return when(
          isNear(own, triangle.skins),
          () => {
            const bars = triangle.points.map((at) => c.forceBar.at(at));
            const pair = pairOf(own, verticesOf(c, triangle), lead);
            const { x0, v0, m0, d0 } = pairAdjoint(pair, lead, ownBar, bars);
            return plus(before, { x: x0, v: v0, material: m0, thickness: d0 });
          },
          () => before,
        );
      });
      c.positionBar.add(x);
      c.velocityBar.add(v);
      c.keBar.add(material.x);
      c.kdBar.add(material.y);
      c.kfBar.add(material.z);
      c.muBar.add(material.w);
      c.thicknessBar.add(thickness);
    },
  );
}

function adjointByTriangle(search: Search): Kernel {
  const { fields, room, sizes } = search;
  const { points, position, velocity, ke, kd, kf, mu, thickness } = fields;
  return kernel(
    'touchSurface_adjointByTriangle',
    {
      domain: fields.vertices.domain,
      reads: { ...byTriangle(fields), forceBar: adjointOf('force', fieldOn(points.force)) },
      adds: {
        positionBar: adjointOf('position', fieldOn(position)),
        velocityBar: adjointOf('velocity', fieldOn(velocity)),
        keBar: adjointOf('ke', fieldOn(ke)),
        kdBar: adjointOf('kd', fieldOn(kd)),
        kfBar: adjointOf('kf', fieldOn(kf)),
        muBar: adjointOf('mu', fieldOn(mu)),
        thicknessBar: adjointOf('thickness', fieldOn(thickness)),
      },
    },
    (c, moment) => {
      const { element } = moment;
      const { lead, isNear } = substepMotion(search, moment);
      const own = c.vertices.map((at) => vertexOf(c, at));
      const ownBars = c.vertices.map((at) => c.forceBar.at(at));
      const sums = forRange(
        0,
        min(c.nearCount, room),
        namedCornerAdjoints([zeroAdjoints(), zeroAdjoints(), zeroAdjoints()]),
        (k, before) => {
          const point = pairSideOf(c, [listEntry(c.nearPoint, element, k, room, sizes.points)]);
          return when(
            isNear(point.skins[0], own),
            () => {
              const pair = pairOf(verticesOf(c, point)[0], own, lead);
              const bars = cornerBars(pairAdjoint(pair, lead, c.forceBar.at(point.points[0]), ownBars));
              return namedCornerAdjoints(cornerBars(before).map((bar, corner) => plus(bar, bars[corner])));
            },
            () => before,
          );
        },
      );
      cornerBars(sums).forEach(({ x, v, material, thickness }, corner) => {
        const at = c.vertices[corner];
        c.positionBar.add(at, x);
        c.velocityBar.add(at, v);
        c.keBar.add(at, material.x);
        c.kdBar.add(at, material.y);
        c.kfBar.add(at, material.z);
        c.muBar.add(at, material.w);
        c.thicknessBar.add(at, thickness);
      });
    },
  );
}
