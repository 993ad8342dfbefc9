import type { F32, Index, Kernel, Reader, U32, Vec3 } from '@gradsim/core';
import {
  adjointOf,
  f32,
  forRange,
  index,
  indexOn,
  kernel,
  on,
  u32,
  vec3,
  vec4,
  vjp,
  when,
} from '@gradsim/core';
import { TOUCHING_PARTICLE } from '../touching-particle.ts';
import type { Pair, Skin, Vertex } from './pair.ts';
import { depthOf, pairForces, pairOf } from './pair.ts';

/*
 * A pair's forces are computed twice, by its particle and by its triangle, so that each sums up what acts on itself and
 * nothing is scattered to places that are known only in the run. Their adjoint goes the same way: both kernels of it
 * belong to the first of the two passes, for what a position is felt by is spread over both.
 */

type State = {
  readonly [K in keyof typeof TOUCHING_PARTICLE]: Reader<K extends 'position' | 'velocity' ? Vec3 : F32>;
};

const skinOf = (s: State, at: U32): Skin => ({ x: s.position.at(at), thickness: s.thickness.at(at) });
const vertexOf = (s: State, at: U32, skin: Skin = skinOf(s, at)): Vertex => ({
  ...skin,
  v: s.velocity.at(at),
  material: vec4(s.ke.at(at), s.kd.at(at), s.kf.at(at), s.mu.at(at)),
});

/** One side of a pair, of which velocity and material are read only where it touches. */
interface Side {
  readonly particles: readonly U32[];
  readonly skins: readonly Skin[];
}
const sideOf = (s: State, particles: readonly U32[]): Side => ({
  particles,
  skins: particles.map((at) => skinOf(s, at)),
});
const verticesOf = (s: State, { particles, skins }: Side): Vertex[] =>
  particles.map((at, k) => vertexOf(s, at, skins[k]));

const BY_PARTICLE = {
  ...TOUCHING_PARTICLE,
  corner: indexOn('touchingCorners', 'particles'),
  nearTriangle: on('particleNeighbours', u32),
  nearCount: u32,
} as const;
const BY_TRIANGLE = {
  ...TOUCHING_PARTICLE,
  vertices: index('particles', 3),
  nearParticle: on('triangleNeighbours', u32),
  nearCount: u32,
} as const;

const cornersOf = (corner: { at(at: U32): Index }, triangle: U32): Index[] =>
  [0, 1, 2].map((k) => corner.at(triangle.mul(3).add(k)));

const none = () => vec3(0, 0, 0);

/** What acts on the particle of each pair. */
export function touchSurface(room: number): Kernel {
  return kernel(
    'touchSurface',
    {
      domain: 'particles',
      reads: BY_PARTICLE,
      adds: { force: vec3 },
      adjoint: () => [adjointByParticle(room), adjointByTriangle(room)],
    },
    ({ corner, nearTriangle, nearCount, force, ...state }, { element, dt }) => {
      const own = vertexOf(state, element);
      const sum = forRange(0, nearCount, none(), (k, before) => {
        const triangle = sideOf(state, cornersOf(corner, nearTriangle.at(element.mul(room).add(k))));
        return when(
          depthOf(own, triangle.skins).gt(0),
          () => before.add(pairForces(pairOf(own, verticesOf(state, triangle), dt)).f0),
          () => before,
        );
      });
      force.add(sum);
    },
  );
}

/** What acts on the corners of the triangle of each pair. */
export function reactOnSurface(room: number): Kernel {
  return kernel(
    'reactOnSurface',
    {
      domain: 'touchingTriangles',
      reads: BY_TRIANGLE,
      adds: { force: on('particles', vec3) },
      // All of it is in the adjoint of `touchSurface`.
      adjoint: () => [],
    },
    ({ vertices, nearParticle, nearCount, force, ...state }, { element, dt }) => {
      const own = vertices.map((at) => vertexOf(state, at));
      const sums = forRange(0, nearCount, { f1: none(), f2: none(), f3: none() }, (k, before) => {
        const particle = sideOf(state, [nearParticle.at(element.mul(room).add(k))]);
        return when(
          depthOf(particle.skins[0], own).gt(0),
          () => {
            const { f1, f2, f3 } = pairForces(pairOf(verticesOf(state, particle)[0], own, dt));
            return { f1: before.f1.add(f1), f2: before.f2.add(f2), f3: before.f3.add(f3) };
          },
          () => before,
        );
      });
      [sums.f1, sums.f2, sums.f3].forEach((f, k) => force.add(vertices[k], f));
    },
  );
}

/** The adjoint of a pair's inputs, for the adjoints of the force on its particle and on its corners. */
const pairAdjoint = (pair: Pair, particle: Vec3, [f1, f2, f3]: readonly Vec3[]): Pair =>
  vjp(pairForces, pair, { f0: particle, f1, f2, f3 });

function adjointByParticle(room: number): Kernel {
  return kernel(
    'touchSurface_adjointByParticle',
    {
      domain: 'particles',
      reads: { ...BY_PARTICLE, forceBar: adjointOf('force', on('particles', vec3)) },
      adds: {
        positionBar: adjointOf('position', vec3),
        velocityBar: adjointOf('velocity', vec3),
        keBar: adjointOf('ke', f32),
        kdBar: adjointOf('kd', f32),
        kfBar: adjointOf('kf', f32),
        muBar: adjointOf('mu', f32),
        thicknessBar: adjointOf('thickness', f32),
      },
    },
    (c, { element, dt }) => {
      const own = vertexOf(c, element);
      const start = { x: none(), v: none(), material: vec4(0, 0, 0, 0), thickness: f32(0) };
      const ownBar = c.forceBar.at(element);
      const { x, v, material, thickness } = forRange(0, c.nearCount, start, (k, before) => {
        const triangle = sideOf(c, cornersOf(c.corner, c.nearTriangle.at(element.mul(room).add(k))));
        return when(
          depthOf(own, triangle.skins).gt(0),
          () => {
            const bars = triangle.particles.map((at) => c.forceBar.at(at));
            const bar = pairAdjoint(pairOf(own, verticesOf(c, triangle), dt), ownBar, bars);
            return {
              x: before.x.add(bar.x0),
              v: before.v.add(bar.v0),
              material: before.material.add(bar.m0),
              thickness: before.thickness.add(bar.d0),
            };
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

function adjointByTriangle(room: number): Kernel {
  return kernel(
    'touchSurface_adjointByTriangle',
    {
      domain: 'touchingTriangles',
      reads: { ...BY_TRIANGLE, forceBar: adjointOf('force', on('particles', vec3)) },
      adds: {
        positionBar: adjointOf('position', on('particles', vec3)),
        velocityBar: adjointOf('velocity', on('particles', vec3)),
        keBar: adjointOf('ke', on('particles', f32)),
        kdBar: adjointOf('kd', on('particles', f32)),
        kfBar: adjointOf('kf', on('particles', f32)),
        muBar: adjointOf('mu', on('particles', f32)),
        thicknessBar: adjointOf('thickness', on('particles', f32)),
      },
    },
    (c, { element, dt }) => {
      const own = c.vertices.map((at) => vertexOf(c, at));
      const cornerBars = c.vertices.map((at) => c.forceBar.at(at));
      const start = {
        x1: none(),
        x2: none(),
        x3: none(),
        v1: none(),
        v2: none(),
        v3: none(),
        m1: vec4(0, 0, 0, 0),
        m2: vec4(0, 0, 0, 0),
        m3: vec4(0, 0, 0, 0),
        d1: f32(0),
        d2: f32(0),
        d3: f32(0),
      };
      const sums = forRange(0, c.nearCount, start, (k, before) => {
        const particle = sideOf(c, [c.nearParticle.at(element.mul(room).add(k))]);
        return when(
          depthOf(particle.skins[0], own).gt(0),
          (): typeof start => {
            const pair = pairOf(verticesOf(c, particle)[0], own, dt);
            const bar = pairAdjoint(pair, c.forceBar.at(particle.particles[0]), cornerBars);
            return {
              x1: before.x1.add(bar.x1),
              x2: before.x2.add(bar.x2),
              x3: before.x3.add(bar.x3),
              v1: before.v1.add(bar.v1),
              v2: before.v2.add(bar.v2),
              v3: before.v3.add(bar.v3),
              m1: before.m1.add(bar.m1),
              m2: before.m2.add(bar.m2),
              m3: before.m3.add(bar.m3),
              d1: before.d1.add(bar.d1),
              d2: before.d2.add(bar.d2),
              d3: before.d3.add(bar.d3),
            };
          },
          () => before,
        );
      });
      const corners = [
        { x: sums.x1, v: sums.v1, material: sums.m1, thickness: sums.d1 },
        { x: sums.x2, v: sums.v2, material: sums.m2, thickness: sums.d2 },
        { x: sums.x3, v: sums.v3, material: sums.m3, thickness: sums.d3 },
      ];
      corners.forEach(({ x, v, material, thickness }, k) => {
        const at = c.vertices[k];
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
