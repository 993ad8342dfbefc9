import type { Model } from '@gradsim/core';
import { cross, f32, field, fieldOn, index, kernel, mat33, normalize, perWorld, select, vec3 } from '@gradsim/core';
import { lookOf } from './look.ts';

/** Source of the normals used for lighting: one per face, or one per vertex, interpolated. */
export type Normals = 'face' | 'vertex';

/** Kernel that sums, for each vertex, the normals of the faces around it, weighted by area. */
const sumNormals = kernel(
  'sumNormals',
  {
    domain: 'faces',
    reads: { corners: index('vertices', 3), position: fieldOn('vertices', vec3) },
    adds: { normalSum: fieldOn('vertices', vec3) },
  },
  ({ corners, position, normalSum }) => {
    const [a, b, c] = corners.map((corner) => position.at(corner));
    const twiceArea = cross(b.sub(a), c.sub(a));
    for (const corner of corners) normalSum.add(corner, twiceArea);
  },
);
const vertexNormals = kernel(
  'vertexNormals',
  { domain: 'vertices', reads: { normalSum: vec3 }, writes: { normal: vec3 } },
  ({ normalSum }) => ({ normal: normalize(normalSum) }),
);
/** Kernel that gathers the vertex normals at the corners of each face, as rows of a matrix. */
const cornerNormals = kernel(
  'cornerNormals',
  {
    domain: 'faces',
    reads: { corners: index('vertices', 3), normal: fieldOn('vertices', vec3) },
    writes: { normals: mat33 },
  },
  ({ corners, normal }) => ({ normals: mat33(...corners.flatMap((c) => normal.at(c).components)) }),
);
const flatNormals = kernel(
  'flatNormals',
  {
    domain: 'faces',
    reads: { corners: index('vertices', 3), position: fieldOn('vertices', vec3) },
    writes: { normals: mat33 },
  },
  ({ corners, position }) => {
    const [a, b, c] = corners.map((corner) => position.at(corner));
    const { components } = normalize(cross(b.sub(a), c.sub(a)));
    return { normals: mat33(...components, ...components, ...components) };
  },
);

/** Kernel that computes the vector from each vertex to the camera's position, for each camera. */
const eyeOfVertex = kernel(
  'eyeOfVertex',
  {
    domain: 'viewVertices',
    reads: {
      camera: index('cameras'),
      vertex: index('vertices'),
      position: fieldOn('vertices', vec3),
      viewPosition: fieldOn('cameras', vec3),
    },
    writes: { vertexToEye: vec3 },
  },
  ({ camera, vertex, position, viewPosition }) => ({
    vertexToEye: viewPosition.at(camera).sub(position.at(vertex)),
  }),
);
const cornersToEye = kernel(
  'cornersToEye',
  {
    domain: 'viewFaces',
    reads: { corners: index('viewVertices', 3), vertexToEye: fieldOn('viewVertices', vec3) },
    writes: { toEye: mat33 },
  },
  ({ corners, vertexToEye }) => ({
    toEye: mat33(...corners.flatMap((c) => vertexToEye.at(c).components)),
  }),
);

/**
 * Direction towards the directional light, copied from `lights` to the world so that kernels of all surfaces read it.
 */
const towardsLight = field('world', 'towardsLight', vec3);
const diffuse = field('world', 'diffuse', vec3);
const specular = field('world', 'specular', vec3);
const shininess = field('world', 'shininess', f32);

const spreadLight = kernel(
  'spreadLight',
  { domain: 'lights', reads: { direction: vec3, color: vec3 }, adds: { towardsLight, diffuse } },
  ({ direction, color, ...world }) => {
    world.towardsLight.add(direction);
    world.diffuse.add(color);
  },
);
const spreadHighlights = kernel(
  'spreadHighlights',
  {
    domain: 'lights',
    reads: { specular: vec3, shininess: f32 },
    adds: { shownSpecular: specular, shownShininess: shininess },
  },
  (light) => {
    light.shownSpecular.add(light.specular);
    light.shownShininess.add(light.shininess);
  },
);

const SKY_CHANNELS = ['skyRed', 'skyGreen', 'skyBlue'] as const;

/** Kernel that copies the nine coefficients of each colour to one 3 x 3 matrix field per colour of the world. */
const spreadHarmonics = kernel(
  'spreadHarmonics',
  {
    domain: 'harmonics',
    reads: { radiance: vec3 },
    adds: { skyRed: perWorld(mat33), skyGreen: perWorld(mat33), skyBlue: perWorld(mat33) },
  },
  ({ radiance, ...sky }, { element }) => {
    const { components } = radiance;
    SKY_CHANNELS.forEach((name, channel) => {
      const own = (k: number) => select(element.eq(k), components[channel], f32(0));
      sky[name].add(mat33(...Array.from({ length: 9 }, (_, k) => own(k))));
    });
  },
);

/**
 * Adds the field `faces.normals`, the normals at the corners of each face, and the passes that compute it, unless it
 * exists.
 */
export function addNormals(model: Model): void {
  if (model.fields.has('faces.normals')) return;
  const { normals } = lookOf(model);
  model.addField('faces', 'normals', mat33);
  if (normals === 'vertex') {
    model.addPass('render', sumNormals);
    model.addPass('render', vertexNormals);
  }
  model.addPass('render', normals === 'face' ? flatNormals : cornerNormals);
}

/** Adds the passes that compute the normals, light and view vectors that {@link surfaceFields} names. */
export function addLightPasses(model: Model): void {
  const { light, normals } = lookOf(model);
  if (!light) return;
  addNormals(model);
  if (light.highlights) {
    model.addField('viewFaces', 'toEye', mat33);
    model.addPass('render', cornersToEye);
  }
  if (light.harmonics) model.addPass('render', spreadHarmonics);
  if (normals === 'given') return;
  if (light.highlights) model.addPass('render', eyeOfVertex);
  if (light.directional) model.addPass('render', spreadLight);
  if (light.highlights) model.addPass('render', spreadHighlights);
}
