import type { F32, Vec2 } from '@gradsim/core';

export const dot2 = (a: Vec2, b: Vec2): F32 => a.x.mul(b.x).add(a.y.mul(b.y));

export const cross2 = (a: Vec2, b: Vec2): F32 => a.x.mul(b.y).sub(a.y.mul(b.x));
