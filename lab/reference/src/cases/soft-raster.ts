import { sumOfProducts } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { softRasScene } from '@gradsim/render-softras';
import type { CaseFormat } from '../case-format.ts';
import { caseFormat } from '../case-format.ts';
import type { CheckResult, GradientPair } from '../errors.ts';
import { gradientErrors, relativeError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import {
  array,
  componentOf,
  constant,
  count,
  indices,
  number,
  optional,
  parameter,
  positive,
  records,
  text,
} from '../fields.ts';
import type { Channels } from './pictures.ts';
import { rowsOf, withPicture } from './pictures.ts';

interface SoftRasterCase {
  readonly sigma: number;
  readonly gamma: number;
  readonly near: number;
  readonly far: number;
  readonly background: readonly [number, number, number];
  readonly ndc_vertices: readonly (readonly number[])[];
  readonly faces: readonly (readonly number[])[];
  readonly face_colors: readonly (readonly number[])[];
  readonly weights: Channels;
  readonly expected: {
    readonly loss: number;
    readonly rgba: Channels;
    readonly gradient: Readonly<Record<string, readonly number[] | readonly (readonly number[])[]>>;
    readonly alpha_gradient?: readonly (readonly number[])[];
    readonly finite_differences?: readonly { readonly index: number; readonly derivative: number }[];
  };
}

/** Field of each parameter, by its name in the file. */
const PLACES = {
  ndc_vertices: 'viewVertices.ndc',
  face_colors: 'faces.color',
  background: 'world.background',
} as const;

/** Matches the variant of the method that render-softras implements, as these files name it. */
const VARIANT =
  /^soft rasteri[sz]er, euclidean distance, softmax colou?r, product alpha, one colou?r a face, both sides drawn$/;

const FIELDS = {
  model: text(VARIANT),
  sigma: positive,
  gamma: positive,
  near: positive,
  far: positive,
  background: parameter(array(3)),
  background_weight_eps: optional(constant(0.001)),
  distance_cutoff: optional(constant('sigma*ln(1/1e-4 - 1)')),
  coordinates: optional(text(/^x right, y up in \[-1,1\], z = depth from the camera; pixel \(0,0\) is top left\b/)),
  ndc_vertices: parameter(array('vertices', 3)),
  faces: indices('vertices', 'faces', 3),
  face_colors: parameter(array('faces', 3)),
  loss: constant('sum(weights*rgba)'),
  weights: array(4, 'rows', 'columns'),
  'expected.loss': number,
  'expected.rgba': array(4, 'rows', 'columns'),
  'expected.alpha_gradient': optional(array('vertices', 3)),
  'expected.finite_differences': optional(
    records({ index: componentOf('vertices', 3), derivative: number, spread: optional(number) }),
  ),
};

/** Defines a format of cases of the soft rasteriser on vertices in device coordinates, drawn by render-softras. */
const rasterOf = (size: Fields): CaseFormat =>
  caseFormat<SoftRasterCase>({
    matches: (model, content) =>
      /^soft rasteri[sz]er\b/.test(model) && 'image_size' in content === 'image_size' in size,
    fields: { ...size, ...FIELDS },
    check: checkRaster,
  });

export const softRaster = rasterOf({ width: count('columns'), height: count('rows') });

/** Format of soft raster cases with square pictures, whose size is a single number. */
export const softRasterSquare = rasterOf({ image_size: count('rows', 'columns') });

async function checkRaster(file: SoftRasterCase, device: Device): Promise<CheckResult> {
  const { sigma, gamma, near, far, background, expected } = file;
  const [{ length: height }, { length: width }] = [expected.rgba[0], expected.rgba[0][0]];
  const scene = softRasScene(
    { width, height },
    { vertices: file.ndc_vertices.flat(), faces: file.faces.flat(), colors: file.face_colors.flat() },
    { sigma, gamma, near, far, backgroundColor: background },
  );
  const weights = rowsOf(file.weights);
  const parameters = Object.values(PLACES);
  return withPicture(scene, { device, parameters }, weights, async ({ simulation, image, backward }) => {
    const ofVertices = await simulation.gradient(PLACES.ndc_vertices);
    const gradients: GradientPair[] = [];
    for (const [name, derivative] of Object.entries(expected.gradient)) {
      const got = await simulation.gradient(PLACES[name as keyof typeof PLACES]);
      gradients.push({ name, got, expected: derivative.flat() });
    }
    const result: CheckResult = {
      lossError: relativeError([sumOfProducts(image, weights)], [expected.loss]),
      imageError: relativeError(image, rowsOf(expected.rgba)),
      ...gradientErrors(gradients),
    };
    const { alpha_gradient: alpha, finite_differences: differences } = expected;
    if (differences) {
      result.finiteDifferenceError = relativeError(
        differences.map(({ index }) => ofVertices[index]),
        differences.map(({ derivative }) => derivative),
      );
    }
    if (alpha) {
      const ofAlpha = weights.map((weight, k) => (k % 4 === 3 ? weight : 0));
      backward(ofAlpha);
      result.alphaGradientError = relativeError(await simulation.gradient(PLACES.ndc_vertices), alpha.flat());
    }
    return result;
  });
}
