import type { F32, Index, IndexedField, Kernel, Quat } from '@gradsim/core';
import { cross, fieldOn, kernel, norm, quat, rotate, vec4 } from '@gradsim/core';
import type { BodiesThatTouch } from '@gradsim/dynamics';
import type { AddersOf, ReadersOf } from '../fields.ts';
import { readsOnElements } from '../fields.ts';
import { materialIn, materialOf } from '../material.ts';
import { pairsOf } from '../pairs.ts';
import type { Shape } from '../shapes/shape.ts';
import type { CoreSizeReader } from '../shapes/solid.ts';
import { bodyLoads, bodyReads } from '../touching.ts';
import { CONTACT_SHAPES, force, placedShape, search, shapeConstants, torque } from './fields.ts';

/** Domain of shapes of bodies: index among all shapes, index among the shapes of their component, and body. */
export const shapesOfBodies = ({ component }: Shape, bodies: BodiesThatTouch) =>
  pairsOf({ solid: { domain: CONTACT_SHAPES }, shape: component, body: bodies.component });
/** Domain of static shapes: index among all shapes, and among the shapes of their component. */
export const shapesInWorld = ({ component }: Shape) => pairsOf({ solid: { domain: CONTACT_SHAPES }, shape: component });

type WithShapeOrientation = { readonly shapeOrientation: IndexedField<Quat> };
const shapeOrientationIn = ({ orientation }: Shape): Partial<WithShapeOrientation> =>
  orientation ? { shapeOrientation: fieldOn(orientation) } : {};
const shapePoseIn = (of: Shape) => ({
  ...materialIn(of.component),
  shapePosition: fieldOn(of.component.position),
  rounding: fieldOn(shapeConstants.rounding),
  ...shapeOrientationIn(of),
});

type ShapeIndices = { readonly solid: Index; readonly shape: Index };
type Materials = ReadersOf<ReturnType<typeof materialIn> & { rounding: IndexedField<F32> }>;
type PlacementAdders = AddersOf<Pick<typeof placementAdders, 'half' | 'radius' | 'material'>>;
const placementAdders = readsOnElements(placedShape);

/** Adds what does not depend on a shape's pose: the size of its core, its radius and its material. */
function addCore(c: ShapeIndices & Materials & PlacementAdders, size: CoreSizeReader): void {
  const { solid, shape } = c;
  const { half, radius } = size(shape, c.rounding.at(solid));
  const { ke, kd, kf, mu } = materialOf(c, shape);
  c.half.add(solid, half);
  c.radius.add(solid, radius);
  c.material.add(solid, vec4(ke, kd, kf, mu));
}

/** Kernel, in phase `force`, that computes pose and material of static shapes of a component. */
export function placeInWorld(shape: Shape): Kernel {
  const { domain, indices } = shapesInWorld(shape);
  return shape.solid.kernelOf(
    `place_${domain}`,
    { domain, reads: { ...indices, ...shapePoseIn(shape) }, adds: placementAdders },
    (c, size) => {
      const { solid, shape } = c;
      addCore(c, size);
      c.x.add(solid, c.shapePosition.at(shape));
      c.q.add(solid, c.shapeOrientation?.at(shape) ?? quat(0, 0, 0, 1));
    },
  );
}

/** Kernel, in phase `force`, that computes pose, velocity and material of shapes of bodies. */
export function placeOnBodies(shape: Shape, bodies: BodiesThatTouch): Kernel {
  const { domain, indices } = shapesOfBodies(shape, bodies);
  const reads = { ...indices, ...shapePoseIn(shape), ...bodyReads(bodies) };
  return shape.solid.kernelOf(`place_${domain}`, { domain, reads, adds: placementAdders }, (c, size) => {
    const { solid, shape, body } = c;
    addCore(c, size);
    const orientation = c.bodyOrientation.at(body);
    const turn = c.shapeOrientation?.at(shape);
    const arm = rotate(orientation, c.shapePosition.at(shape));
    const w = c.angularVelocity.at(body);
    c.x.add(solid, c.bodyPosition.at(body).add(arm));
    c.q.add(solid, turn ? orientation.mul(turn) : orientation);
    c.v.add(solid, c.bodyVelocity.at(body).add(cross(w, arm)));
    c.w.add(solid, w);
  });
}

/** Kernel, in phase `search`, that computes position and bounding radius of shapes of bodies. */
export function placeForSearch(shape: Shape, bodies: BodiesThatTouch): Kernel {
  const { domain, indices } = shapesOfBodies(shape, bodies);
  const reads = { ...indices, ...shapePoseIn(shape), ...bodyReads(bodies), extent: fieldOn(shapeConstants.extent) };
  const adds = readsOnElements({ searchPosition: search.position, searchReach: search.reach });
  return shape.solid.kernelOf(`placeForSearch_${domain}`, { domain, reads, adds }, (c, size) => {
    const { solid, shape, body } = c;
    const { half, radius } = size(shape, c.rounding.at(solid));
    const arm = rotate(c.bodyOrientation.at(body), c.shapePosition.at(shape));
    c.searchPosition.add(solid, c.bodyPosition.at(body).add(arm));
    c.searchReach.add(solid, norm(c.extent.at(solid).mul(half)).add(radius));
  });
}

/** Kernel that adds the contact forces and torques on shapes to their bodies. */
export function pushBodies(shape: Shape, bodies: BodiesThatTouch): Kernel {
  const { domain, indices } = shapesOfBodies(shape, bodies);
  const { orientation } = bodies;
  const reads = {
    ...indices,
    shapePosition: fieldOn(shape.component.position),
    bodyOrientation: fieldOn(orientation),
    ...readsOnElements({ shapeForce: force, shapeTorque: torque }),
  };
  return kernel(`push_${domain}`, { domain, reads, adds: bodyLoads(bodies) }, (c) => {
    const f = c.shapeForce.at(c.solid);
    const arm = rotate(c.bodyOrientation.at(c.body), c.shapePosition.at(c.shape));
    c.bodyForce.add(c.body, f);
    c.torque.add(c.body, c.shapeTorque.at(c.solid).add(cross(arm, f)));
  });
}
