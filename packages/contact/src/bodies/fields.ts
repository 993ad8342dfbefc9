import { f32, field, index, quat, u32, vec2, vec3, vec4 } from '@gradsim/core';
import { over } from '../proximity/fields.ts';

/** Domain of all contact shapes of bodies, followed by the static ones. */
export const SHAPES: string = 'contactShapes';

/** Constants of shapes, known when the model is built. */
export const known = {
  kind: field(SHAPES, 'kind', u32),
  rounding: field(SHAPES, 'rounding', f32, { unit: 'm' }),
  /** Largest coordinates of the core, in units of `half`. */
  extent: field(SHAPES, 'extent', vec3),
  firstCorner: field(SHAPES, 'firstCorner', u32),
  cornerCount: field(SHAPES, 'cornerCount', u32),
  /** Number of points along the segment, stored after its corners, for contact with meshes only. */
  alongCount: field(SHAPES, 'alongCount', u32),
  firstEdge: field(SHAPES, 'firstEdge', u32),
  edgeCount: field(SHAPES, 'edgeCount', u32),
  /** Number of a mesh among the meshes. */
  mesh: field(SHAPES, 'mesh', u32),
};

/** Corners and edges of the shapes' cores, shape by shape, in units of `half`. */
export const corner = field('contactCorners', 'corner', vec3);
export const edge = over('contactEdges', { from: vec3, to: vec3, inward: vec3, otherInward: vec3 });

/** Pose and properties of shapes in a substep, in world axes: sums of one term each, from the body or the world. */
export const placed = {
  x: field(SHAPES, 'position', vec3, { unit: 'm' }),
  q: field(SHAPES, 'orientation', quat),
  v: field(SHAPES, 'velocity', vec3, { unit: 'm/s' }),
  w: field(SHAPES, 'angularVelocity', vec3, { unit: 'rad/s' }),
  /** Half of the core's size, m; 1 for a mesh, whose core is in metres. */
  half: field(SHAPES, 'half', vec3),
  radius: field(SHAPES, 'radius', f32, { unit: 'm' }),
  /** Material: ke, kd, kf, mu. */
  material: field(SHAPES, 'material', vec4),
};

/** Force and torque on shapes, at their own position. */
export const force = field(SHAPES, 'force', vec3, { unit: 'N' });
export const torque = field(SHAPES, 'torque', vec3, { unit: 'N m' });

/** Pairs known beforehand: a shape of a body, and a static one or one that is not searched for. */
export const standing = {
  one: field('contactShapesStanding', 'one', index(SHAPES)),
  other: field('contactShapesStanding', 'other', index(SHAPES)),
};

/** Neighbour search: pose and range of a shape at the search, and its list of neighbours. */
export const search = {
  position: field(SHAPES, 'searchPosition', vec3),
  reach: field(SHAPES, 'searchReach', f32),
  touches: field(SHAPES, 'touches', f32),
  runs: ['', '2'].map((n) => ({
    bucket: field(SHAPES, `bucket${n}`, u32),
    sorted: field(SHAPES, `sorted${n}`, u32),
  })),
  start: field('bucketsOfContactShapes', 'start', u32),
  points: { component: { domain: SHAPES } },
  world: {
    cell: field('world', 'cellOfContactShapes', f32),
    perCell: field('world', 'perCellOfContactShapes', f32),
  },
  /** Body of a shape, and its range in the list of excluded bodies. */
  ...over(SHAPES, { body: u32, firstApart: u32, apartCount: u32 }),
  apart: field('contactShapesApart', 'apart', u32),
  /** Neighbour lists; their lengths, error records, and the shapes' positions at the search. */
  near: field('contactShapesNear', 'near', u32),
  ...over(SHAPES, { nearCount: u32, crowded: vec2, searchedAt: vec3, strayed: vec3 }),
};
