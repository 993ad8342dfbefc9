import { f32, field, index, quat, u32, vec2, vec3, vec4 } from '@gradsim/core';
import { over } from '../proximity/fields.ts';

/** Shapes that touch each other: those of bodies, then those that stand in the world. */
export const SHAPES: string = 'contactShapes';

/** What is known of them when the model is built. */
export const known = {
  kind: field(SHAPES, 'kind', u32),
  rounding: field(SHAPES, 'rounding', f32, { unit: 'm' }),
  /** The largest coordinates of the core, in units of `half`. */
  extent: field(SHAPES, 'extent', vec3),
  firstCorner: field(SHAPES, 'firstCorner', u32),
  cornerCount: field(SHAPES, 'cornerCount', u32),
  /** Of points behind its corners, which touch meshes only. */
  alongCount: field(SHAPES, 'alongCount', u32),
  firstEdge: field(SHAPES, 'firstEdge', u32),
  edgeCount: field(SHAPES, 'edgeCount', u32),
  /** Of a mesh, its number among the meshes. */
  mesh: field(SHAPES, 'mesh', u32),
};

/** Corners and edges of their cores, one shape's after another's, in units of `half`. */
export const corner = field('contactCorners', 'corner', vec3);
export const edge = over('contactEdges', { from: vec3, to: vec3, inward: vec3, otherInward: vec3 });

/** Where they are in a substep, in world axes, and what they are: sums of one term each, from whatever they belong to. */
export const placed = {
  x: field(SHAPES, 'position', vec3, { unit: 'm' }),
  q: field(SHAPES, 'orientation', quat),
  v: field(SHAPES, 'velocity', vec3, { unit: 'm/s' }),
  w: field(SHAPES, 'angularVelocity', vec3, { unit: 'rad/s' }),
  /** Half of the core's size; of a mesh 1, its core is in metres. */
  half: field(SHAPES, 'half', vec3),
  radius: field(SHAPES, 'radius', f32, { unit: 'm' }),
  /** ke, kd, kf, mu. */
  material: field(SHAPES, 'material', vec4),
};

/** What acts on them, at their own position. */
export const force = field(SHAPES, 'force', vec3, { unit: 'N' });
export const torque = field(SHAPES, 'torque', vec3, { unit: 'N m' });

/** Pairs that are known beforehand: a shape of a body, and one that stands in the world or is not searched for. */
export const standing = {
  one: field('contactShapesStanding', 'one', index(SHAPES)),
  other: field('contactShapesStanding', 'other', index(SHAPES)),
};

/** The search for others: where a shape is then and how far it goes, and those that it has near. */
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
  /** The body of a shape, and those that it is apart from, as a part of a list. */
  ...over(SHAPES, { body: u32, firstApart: u32, apartCount: u32 }),
  apart: field('contactShapesApart', 'apart', u32),
  /** Lists of neighbours; how many there are, what is wrong, and where a shape was when they were looked for. */
  near: field('contactShapesNear', 'near', u32),
  ...over(SHAPES, { nearCount: u32, crowded: vec2, searchedAt: vec3, strayed: vec3 }),
};
