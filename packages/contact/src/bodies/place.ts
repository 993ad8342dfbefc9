import type { F32, FieldOf, Index, Kernel, OtherDomain, Quat, Value, Vec3 } from '@gradsim/core';
import { cross, kernel, norm, on, quat, rotate, vec3, vec4 } from '@gradsim/core';
import type { BodiesThatTouch } from '@gradsim/physics';
import type { ReadersOf } from '../fields.ts';
import { onEach } from '../fields.ts';
import { materialIn, materialOf } from '../material.ts';
import type { Pairs } from '../pairs.ts';
import { pairsOf } from '../pairs.ts';
import { ContactBox } from '../shapes/box.ts';
import { ContactCapsule } from '../shapes/capsule.ts';
import { ContactMesh } from '../shapes/mesh.ts';
import type { ShapeComponent } from '../shapes/shape.ts';
import { ContactSphere } from '../shapes/sphere.ts';
import { bodyIn, reactionOn } from '../touching.ts';
import { force, known, placed, SHAPES, search, torque } from './fields.ts';

/** Half of a core's size, and its radius. */
interface Size {
  readonly half: Vec3;
  readonly radius: F32;
}
type Reads = Readonly<Record<string, OtherDomain<Value>>>;

/** Shapes of one component, with the size of their cores. */
export interface Sized {
  readonly component: ShapeComponent;
  readonly orientation?: FieldOf<Quat>;
  readonly reads: Reads;
  readonly size: (c: never, shape: Index, rounding: F32) => Size;
}

const sized = <R extends Reads>(
  spec: Omit<Sized, 'reads' | 'size'> & {
    readonly reads: R;
    readonly size: (c: ReadersOf<R>, shape: Index, rounding: F32) => Size;
  },
): Sized => spec;

/** All shapes that touch others. */
export const SIZED: readonly Sized[] = [
  sized({
    component: ContactSphere,
    reads: onEach({ ownRadius: ContactSphere.radius }),
    size: ({ ownRadius: radius }, shape) => ({ half: vec3(0, 0, 0), radius: radius.at(shape) }),
  }),
  sized({
    component: ContactCapsule,
    orientation: ContactCapsule.orientation,
    reads: onEach({ length: ContactCapsule.length, ownRadius: ContactCapsule.radius }),
    size: ({ length, ownRadius: radius }, shape) => ({
      half: vec3(0, length.at(shape).mul(0.5), 0),
      radius: radius.at(shape),
    }),
  }),
  sized({
    component: ContactBox,
    orientation: ContactBox.orientation,
    reads: onEach({ size: ContactBox.size }),
    size: ({ size }, shape, rounding) => ({
      half: size
        .at(shape)
        .mul(0.5)
        .sub(vec3(rounding, rounding, rounding)),
      radius: rounding,
    }),
  }),
  sized({
    component: ContactMesh,
    orientation: ContactMesh.orientation,
    reads: {},
    size: (_, __, rounding) => ({ half: vec3(1, 1, 1), radius: rounding }),
  }),
];

/** Shapes of bodies: their place among all, among those of their component, and whose they are. */
export const shapesOfBodies = ({ component }: Sized, bodies: BodiesThatTouch) =>
  pairsOf({ solid: { domain: SHAPES }, shape: component, body: bodies.component });
/** Those that stand in the world. */
export const shapesInWorld = ({ component }: Sized) => pairsOf({ solid: { domain: SHAPES }, shape: component });

const placeIn = ({ component, orientation, reads }: Sized) => ({
  ...reads,
  ...materialIn(component),
  shapePosition: on(component.position),
  rounding: on(known.rounding),
  ...(orientation ? { shapeOrientation: on(orientation) } : {}),
});
type Own = { readonly solid: Index; readonly shape: Index } & ReadersOf<
  ReturnType<typeof materialIn> & {
    shapePosition: OtherDomain<Vec3>;
    rounding: OtherDomain<F32>;
  }
> &
  Partial<ReadersOf<{ shapeOrientation: OtherDomain<Quat> }>>;

/** A shape's orientation in axes of its body or the world. */
const turnOf = (c: Own): Quat | undefined => c.shapeOrientation?.at(c.shape);

/** Where shapes of a component are, for phase `force`: those of bodies, or without such those of the world. */
export function place(of: Sized, bodies: BodiesThatTouch | undefined): Kernel {
  const pairs: Pairs<'solid' | 'shape'> = bodies ? shapesOfBodies(of, bodies) : shapesInWorld(of);
  const { domain, indices } = pairs;
  const reads = { ...indices, ...placeIn(of), ...(bodies ? bodyIn(bodies) : {}) };
  return kernel(`place_${domain}`, { domain, reads, adds: onEach(placed) }, (fields) => {
    // What reads say one by one is not known of a parameter's.
    const c = fields as unknown as Own & ReadersOf<ReturnType<typeof bodyIn>> & { readonly body?: Index };
    const { solid, shape, body } = c;
    const { half, radius } = of.size(fields as never, shape, c.rounding.at(solid));
    const { ke, kd, kf, mu } = materialOf(c, shape);
    const turn = turnOf(c);
    const local = c.shapePosition.at(shape);
    fields.half.add(solid, half);
    fields.radius.add(solid, radius);
    fields.material.add(solid, vec4(ke, kd, kf, mu));
    if (!body) {
      fields.x.add(solid, local);
      fields.q.add(solid, turn ?? quat(0, 0, 0, 1));
      return;
    }
    const orientation = c.bodyOrientation.at(body);
    const arm = rotate(orientation, local);
    const w = c.angularVelocity.at(body);
    fields.x.add(solid, c.bodyPosition.at(body).add(arm));
    fields.q.add(solid, turn ? orientation.mul(turn) : orientation);
    fields.v.add(solid, c.bodyVelocity.at(body).add(cross(w, arm)));
    fields.w.add(solid, w);
  });
}

/** The same for phase `search`: only where they are, and how far they go from there. */
export function placeForSearch(of: Sized, bodies: BodiesThatTouch): Kernel {
  const { domain, indices } = shapesOfBodies(of, bodies);
  const reads = { ...indices, ...placeIn(of), ...bodyIn(bodies), extent: on(known.extent) };
  const adds = onEach({ searchPosition: search.position, searchReach: search.reach });
  return kernel(`placeForSearch_${domain}`, { domain, reads, adds }, (fields) => {
    const c = fields as unknown as Own & ReadersOf<ReturnType<typeof bodyIn>> & { readonly body: Index };
    const { solid, shape, body } = c;
    const { half, radius } = of.size(fields as never, shape, c.rounding.at(solid));
    const arm = rotate(c.bodyOrientation.at(body), c.shapePosition.at(shape));
    fields.searchPosition.add(solid, c.bodyPosition.at(body).add(arm));
    fields.searchReach.add(solid, norm(fields.extent.at(solid).mul(half)).add(radius));
  });
}

/** What acts on shapes, handed on to their bodies. */
export function pushBodies(of: Sized, bodies: BodiesThatTouch): Kernel {
  const { domain, indices } = shapesOfBodies(of, bodies);
  const { orientation } = bodies;
  const reads = {
    ...indices,
    shapePosition: on(of.component.position),
    bodyOrientation: on(orientation),
    ...onEach({ shapeForce: force, shapeTorque: torque }),
  };
  return kernel(`push_${domain}`, { domain, reads, adds: reactionOn(bodies) }, (c) => {
    const f = c.shapeForce.at(c.solid);
    const arm = rotate(c.bodyOrientation.at(c.body), c.shapePosition.at(c.shape));
    c.bodyForce.add(c.body, f);
    c.torque.add(c.body, c.shapeTorque.at(c.solid).add(cross(arm, f)));
  });
}
