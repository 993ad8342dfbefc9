import type { Plugin } from '@gradsim/core';
import { dibr } from '@gradsim/render-dibr';
import { softRas } from '@gradsim/render-softras';

/** Options of a renderer that a still sets. */
export interface Shown {
  readonly backgroundColor: readonly [number, number, number];
  readonly drawings: readonly ('color' | 'silhouette')[];
}

/** Depths and softness with which faces within 10 cm of depth mix. */
const MIXING = { gamma: 0.01, near: 0.5, far: 10 } as const;

/** Renderers of a model, by name. */
export const RENDERERS: Readonly<Record<string, (shown: Shown) => Plugin>> = {
  coverage: (shown) => softRas({ ...shown, sigma: 1e-4, compositing: 'coverage' }),
  'coverage-soft': (shown) => softRas({ ...shown, sigma: 4e-4, gamma: 1e-3, compositing: 'coverage' }),
  softmax: (shown) => softRas({ ...shown, sigma: 1e-4 }),
  area: (shown) => softRas({ ...shown, ...MIXING, sigma: 1e-4, compositing: 'area' }),
  'area-front': (shown) => softRas({ ...shown, ...MIXING, sigma: 1e-4, compositing: 'area', doubleSided: false }),
  dibr: (shown) => dibr({ ...shown, delta: 1e-4 }),
  'dibr-coverage': (shown) => dibr({ ...shown, delta: 1e-4, compositing: 'coverage' }),
};
