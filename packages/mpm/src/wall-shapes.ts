import { ContactBox, ContactCapsule, ContactSphere, HalfSpace } from '@gradsim/contact';
import { nearBox } from '@gradsim/contact/internal';
import type { Component, F32, FieldOf, Quat, Value, Vec3 } from '@gradsim/core';
import { dot, f32, norm, normalize, rotate, rotateInverse, vec3, vec4 } from '@gradsim/core';

/** Signed distance from a surface, m, and the unit normal away from it. */
interface Nearness {
  readonly distance: F32;
  readonly normal: Vec3;
}
type Read = <V extends Value>(name: string) => V;

/** A kind of wall: the fields that its surface depends on, and that surface. */
export interface WallShape {
  readonly component: Component & { readonly domain: string };
  readonly fields: Readonly<Record<string, FieldOf<Value>>>;
  readonly surface: (place: Vec3, read: Read) => Nearness;
}

const halfSpaces: WallShape = {
  component: HalfSpace,
  fields: { normal: HalfSpace.normal, offset: HalfSpace.offset },
  surface: (place, read) => {
    const normal = normalize(read<Vec3>('normal'));
    return { distance: dot(normal, place).sub(read<F32>('offset')), normal };
  },
};

/** Surface `radius` outside of a box without a size along some axes. */
const rounded = ({ distance, normal }: Nearness, radius: F32): Nearness => ({ distance: distance.sub(radius), normal });

const spheres: WallShape = {
  component: ContactSphere,
  fields: { position: ContactSphere.position, radius: ContactSphere.radius },
  surface: (place, read) => rounded(nearBox(place.sub(read<Vec3>('position')), vec3(0, 0, 0)), read<F32>('radius')),
};

/** Surface that is given in a shape's own axes. */
function inShapeAxes(place: Vec3, read: Read, surface: (own: Vec3) => Nearness): Nearness {
  const given = read<Quat>('orientation');
  const unit = given.scale(f32(1).div(norm(vec4(given.vector.x, given.vector.y, given.vector.z, given.w))));
  const { distance, normal } = surface(rotateInverse(unit, place.sub(read<Vec3>('position'))));
  return { distance, normal: rotate(unit, normal) };
}

const capsules: WallShape = {
  component: ContactCapsule,
  fields: {
    position: ContactCapsule.position,
    orientation: ContactCapsule.orientation,
    length: ContactCapsule.length,
    radius: ContactCapsule.radius,
  },
  surface: (place, read) =>
    inShapeAxes(place, read, (own) => rounded(nearBox(own, vec3(0, read<F32>('length'), 0)), read<F32>('radius'))),
};

const boxes: WallShape = {
  component: ContactBox,
  fields: { position: ContactBox.position, orientation: ContactBox.orientation, size: ContactBox.size },
  surface: (place, read) => inShapeAxes(place, read, (own) => nearBox(own, read<Vec3>('size'))),
};

/** Everything that can be a wall. */
export const WALL_SHAPES: readonly WallShape[] = [halfSpaces, spheres, capsules, boxes];
