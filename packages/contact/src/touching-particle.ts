import type { F32, Reader, U32 } from '@gradsim/core';
import { f32, on, vec3 } from '@gradsim/core';
import type { Material } from './law.ts';

/** What a kernel reads of the particles that touch something. */
export const TOUCHING_PARTICLE = {
  position: on('particles', vec3),
  velocity: on('particles', vec3),
  ke: on('particles', f32),
  kd: on('particles', f32),
  kf: on('particles', f32),
  mu: on('particles', f32),
  thickness: on('particles', f32),
} as const;

/** The material of a particle. */
export const materialOf = (
  { ke, kd, kf, mu }: Readonly<Record<keyof Material, Reader<F32>>>,
  particle: U32,
): Material => ({ ke: ke.at(particle), kd: kd.at(particle), kf: kf.at(particle), mu: mu.at(particle) });
