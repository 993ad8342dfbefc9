import type { F32, Mat22, Mat33, Vec2, Vec3, Vec4 } from '@gradsim/core';
import { Vec } from '@gradsim/core';

/** A point or vector in one, two or three dimensions. */
export type Point = F32 | Vec2 | Vec3;

/** Values that can be added and scaled. */
export type Linear = F32 | Vec2 | Vec3 | Vec4 | Mat22 | Mat33;

export const componentsOf = (x: Point): readonly F32[] => (x instanceof Vec ? x.components : [x as F32]);

export const pointOf = (components: readonly F32[]): Point =>
  components.length === 1 ? components[0] : (new Vec(components) as Vec2 | Vec3);
