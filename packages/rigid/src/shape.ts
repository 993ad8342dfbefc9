import type { Model } from '@gradsim/core';
import { cross, dot, f32, field, fieldOn, index, kernel, mat33, select, vec3 } from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import { Body } from './body.ts';
import { BodyVertex, centred } from './motion.ts';

/*
 * Mass properties from vertices that may move: those of the solid of uniform density within a closed mesh, as
 * `massProperties` of @gradsim/mesh has them. A tetrahedron from the origin to a, b, c of signed volume V adds V, V s /
 * 4 and V (a a^T + b b^T + c c^T + s s^T) / 20, s = a + b + c, to volume, first and second moments (B. Mirtich, 1996).
 * The origin is the centre of mass of the mesh as given, so no digits are lost.
 */
const triangleBody = field('bodyTriangles', 'body', index(Body.domain));
const corners = field('bodyTriangles', 'corners', index('bodyVertices', 3));
const shapeVolume = field('bodies', 'shapeVolume', f32, { unit: 'm^3' });
const firstMoment = field('bodies', 'firstMoment', vec3, { unit: 'm^4' });
const secondMoment = field('bodies', 'secondMoment', mat33, { unit: 'm^5' });
const shapeCentre = field('bodies', 'shapeCentre', vec3, { unit: 'm' });
/** Inertia over mass of bodies without a mesh or with a given inertia, m^2. */
const fixedInertia = field('bodies', 'fixedInertia', mat33, { unit: 'm^2' });

/** Adds the contribution of each triangle to the volume, first and second moments of its body. */
export const momentsOfTriangle = memoise(() =>
  kernel(
    'momentsOfTriangle',
    {
      domain: 'bodyTriangles',
      reads: { body: triangleBody, corners, local: fieldOn(BodyVertex.local) },
      adds: { volume: fieldOn(shapeVolume), first: fieldOn(firstMoment), second: fieldOn(secondMoment) },
    },
    ({ body, corners, local, volume, first, second }) => {
      const [a, b, c] = corners.map((corner) => local.at(corner));
      const V = dot(a, cross(b, c)).div(6);
      const s = a.add(b).add(c);
      const points = [a, b, c, s].map((p) => p.components);
      const moments = [0, 1, 2].flatMap((i) =>
        [0, 1, 2].map((j) =>
          points
            .map((p) => p[i].mul(p[j]))
            .reduce((sum, term) => sum.add(term))
            .mul(V)
            .div(20),
        ),
      );
      volume.add(body, V);
      first.add(body, s.mul(V).div(4));
      second.add(body, mat33(...moments));
    },
  ),
);

/**
 * Computes volume, centre of mass and inertia over mass from the moments; keeps the given inertia for a body without
 * triangles.
 */
export const massOfShape = memoise(() =>
  kernel(
    'massOfShape',
    {
      domain: Body,
      reads: { shapeVolume, firstMoment, secondMoment, fixedInertia },
      writes: { volume: Body.volume, inertiaPerMass: Body.inertiaPerMass, shapeCentre },
    },
    ({ shapeVolume, firstMoment, secondMoment, fixedInertia }) => {
      const hasShape = shapeVolume.gt(0);
      const perVolume = f32(1).div(select(hasShape, shapeVolume, f32(1)));
      const centre = firstMoment.mul(perVolume);
      // C = second moment / V - centre centre^T, and I / m = tr(C) 1 - C.
      const spread = secondMoment.mul(perVolume).entries.map((moment, k) => {
        const [i, j] = [Math.floor(k / 3), k % 3];
        return moment.sub(centre.components[i].mul(centre.components[j]));
      });
      const trace = spread[0].add(spread[4]).add(spread[8]);
      const inertia = spread.map((moment, k) => (k % 4 === 0 ? trace.sub(moment) : moment.neg()));
      const own = fixedInertia.entries.map((given, k) => given.add(select(hasShape, inertia[k], f32(0))));
      return { volume: shapeVolume, inertiaPerMass: mat33(...own), shapeCentre: centre };
    },
  ),
);

/** Computes the positions of vertices relative to the current centre of mass, m. */
export const centreVertices = memoise(() =>
  kernel(
    'centreVertices',
    {
      domain: 'bodyVertices',
      reads: { body: BodyVertex.body, local: BodyVertex.local, centre: fieldOn(shapeCentre) },
      writes: { centred },
    },
    ({ body, local, centre }) => ({ centred: local.sub(centre.at(body)) }),
  ),
);

/**
 * Triangles that mass properties are computed from: the indices of their corners in `bodyVertices`, and of their
 * bodies.
 */
export interface ShapeTriangles {
  readonly corners: readonly number[];
  readonly bodies: readonly number[];
}

/**
 * Adds the passes that compute mass properties from the vertices.
 * @param inertias inertia over mass of the bodies without triangles, m^2.
 */
export function addMassFromShape(
  model: Model,
  { corners: ofTriangles, bodies }: ShapeTriangles,
  inertias: readonly number[],
): void {
  model.addDomain('bodyTriangles', bodies.length);
  model.addIndex(triangleBody, [...bodies]);
  model.addIndex(corners, [...ofTriangles]);
  model.addField(fixedInertia, { values: [...inertias] });
  for (const sum of [shapeVolume, firstMoment, secondMoment]) model.addField(sum);
  model.addPass('setup', momentsOfTriangle());
  model.addPass('setup', massOfShape());
  model.addPass('setup', centreVertices());
}
