import { f32, field, u32, vec4 } from '@gradsim/core';

/**
 * References to the pictures that renderers draw: `rgba` (red, green, blue in [0, 1] and alpha), `alpha` alone, `depth`
 * along the viewing axis (m), `normal` in world axes with alpha, and `face`, the index of the nearest face. Their
 * values are stored in tiles, see {@link ImageLayout}.
 *
 * ```ts
 * const simulation = await createSimulation(model, { device, frames, frameRate, substeps, record: [Pixel.rgba] });
 * ```
 */
export const Pixel = {
  rgba: field('pixels', 'rgba', vec4),
  alpha: field('pixels', 'alpha', f32),
  depth: field('pixels', 'depth', f32),
  normal: field('pixels', 'normal', vec4),
  face: field('pixels', 'face', u32),
} as const;
