import { type SoftRasterCase, softRasterReference } from '@gradsim/render-softras';
import type { CaseFormat } from './formats.ts';

/** The variant that render-softras implements, in the words of these files. */
const VARIANT = [
  /soft rasteri[sz]er/,
  /euclidean distance/,
  /softmax colou?r/,
  /product alpha/,
  /one colou?r a face/,
  /both sides/,
];

/** Constants of the method that these files spell out; a case with others is of another method. */
const CONSTANTS = {
  background_weight_eps: 0.001,
  distance_cutoff: 'sigma*ln(1/1e-4 - 1)',
  loss: 'sum(weights*rgba)',
};

/** The soft rasteriser on vertices in device coordinates, drawn by render-softras. */
export const softRaster: CaseFormat = {
  matches: (model, content) =>
    VARIANT.every((word) => word.test(model)) &&
    Object.entries(CONSTANTS).every(
      ([name, value]) => content[name] === undefined || content[name] === value,
    ),

  fields: {
    image_size: 'number',
    sigma: 'number',
    gamma: 'number',
    near: 'number',
    far: 'number',
    background: 3,
    ndc_vertices: 'array',
    faces: 'array',
    face_colors: 'array',
    weights: 'array',
    'expected.loss': 'number',
    'expected.rgba': 'array',
    'expected.alpha_gradient': 'array',
    'expected.finite_differences': 'array',
  },
  check: (content, device) => softRasterReference(content as unknown as SoftRasterCase, device),
};
