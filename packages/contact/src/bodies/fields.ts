import { f32, field, index, quat, u32, vec2, vec3, vec4 } from '@gradsim/core';
import { fieldsOver } from '../proximity/fields.ts';

/** Domain of all contact shapes: first those of bodies, then the static ones. */
export const CONTACT_SHAPES: string = 'contactShapes';

/** Constant fields of shapes, computed when the model is built. */
export const shapeConstants = {
  kind: field(CONTACT_SHAPES, 'kind', u32),
  rounding: field(CONTACT_SHAPES, 'rounding', f32, { unit: 'm' }),
  /** Largest absolute coordinates of the core along its axes, in units of `half`. */
  extent: field(CONTACT_SHAPES, 'extent', vec3),
  firstCorner: field(CONTACT_SHAPES, 'firstCorner', u32),
  cornerCount: field(CONTACT_SHAPES, 'cornerCount', u32),
  /** Number of points along a capsule's segment, stored after its corners; only contact with meshes uses them. */
  alongCount: field(CONTACT_SHAPES, 'alongCount', u32),
  firstEdge: field(CONTACT_SHAPES, 'firstEdge', u32),
  edgeCount: field(CONTACT_SHAPES, 'edgeCount', u32),
  /** Index of the shape's mesh among all contact meshes. */
  mesh: field(CONTACT_SHAPES, 'mesh', u32),
};

/** Corners of the shapes' cores, one shape after another, in units of `half`; `edge`: their edges. */
export const corner = field('contactCorners', 'corner', vec3);
export const edge = fieldsOver('contactEdges', { from: vec3, to: vec3, inward: vec3, otherInward: vec3 });

/**
 * Pose and properties of shapes in a substep, in world axes. Each is a sum with a single term, which a kernel over
 * shapes of bodies or over static shapes adds.
 */
export const placedShape = {
  x: field(CONTACT_SHAPES, 'position', vec3, { unit: 'm' }),
  q: field(CONTACT_SHAPES, 'orientation', quat),
  v: field(CONTACT_SHAPES, 'velocity', vec3, { unit: 'm/s' }),
  w: field(CONTACT_SHAPES, 'angularVelocity', vec3, { unit: 'rad/s' }),
  /** Half of the core's edge lengths, m; 1 for a mesh, whose core is stored in metres. */
  half: field(CONTACT_SHAPES, 'half', vec3),
  radius: field(CONTACT_SHAPES, 'radius', f32, { unit: 'm' }),
  /** Material (ke, kd, kf, mu), in N/m, N s/m, N s/m and 1. */
  material: field(CONTACT_SHAPES, 'material', vec4),
};

/** Contact force, N, and torque, N m, on a shape, about its own position. */
export const force = field(CONTACT_SHAPES, 'force', vec3, { unit: 'N' });
export const torque = field(CONTACT_SHAPES, 'torque', vec3, { unit: 'N m' });

/**
 * Pairs of shapes fixed when the model is built: a shape of a body with a static shape, or with a shape of a body that
 * the neighbour search leaves out.
 */
export const fixedPairs = {
  one: field('contactShapesStanding', 'one', index(CONTACT_SHAPES)),
  other: field('contactShapesStanding', 'other', index(CONTACT_SHAPES)),
};

/**
 * Fields of the neighbour search: position and bounding radius of shapes at the search, the grid, and the neighbour
 * lists.
 */
export const search = {
  position: field(CONTACT_SHAPES, 'searchPosition', vec3),
  reach: field(CONTACT_SHAPES, 'searchReach', f32),
  touches: field(CONTACT_SHAPES, 'touches', f32),
  runs: ['', '2'].map((n) => ({
    bucket: field(CONTACT_SHAPES, `bucket${n}`, u32),
    sorted: field(CONTACT_SHAPES, `sorted${n}`, u32),
  })),
  start: field('bucketsOfContactShapes', 'start', u32),
  points: { component: { domain: CONTACT_SHAPES } },
  world: {
    cell: field('world', 'cellOfContactShapes', f32),
    perCell: field('world', 'perCellOfContactShapes', f32),
  },
  /** Body of a shape, and the range of `apart` that lists the bodies excluded from contact with it. */
  ...fieldsOver(CONTACT_SHAPES, { body: u32, firstApart: u32, apartCount: u32 }),
  apart: field('contactShapesApart', 'apart', u32),
  /** Neighbour lists; their lengths, error records, and the shapes' positions at the last search. */
  near: field('contactShapesNear', 'near', u32),
  ...fieldsOver(CONTACT_SHAPES, { nearCount: u32, crowded: vec2, searchedAt: vec3, strayed: vec3 }),
};
