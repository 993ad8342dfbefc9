import { f32, on, vec3 } from '@gradsim/core';
import { materialIn } from './material.ts';

/** What a kernel reads of the particles that touch something. */
export const TOUCHING_PARTICLE = {
  position: on('particles', vec3),
  velocity: on('particles', vec3),
  ...materialIn('particles'),
  thickness: on('particles', f32),
} as const;
