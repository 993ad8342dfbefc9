import type { Device, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { ImageLayout } from '@gradsim/render';
import { fromRows, toRows } from '@gradsim/render';
import { deviceScene } from './direct.ts';
import { softRasOptions } from './options.ts';

/** A case of the format `soft-raster-*.json`: the soft rasteriser on vertices in device coordinates. */
export interface SoftRasterCase {
  readonly image_size: number;
  readonly sigma: number;
  readonly gamma: number;
  readonly near: number;
  readonly far: number;
  readonly background: readonly number[];
  readonly ndc_vertices: readonly (readonly number[])[];
  readonly faces: readonly (readonly number[])[];
  readonly face_colors: readonly (readonly number[])[];
  /** [channel][row][column], as are the pictures. */
  readonly weights: Channels;
  readonly expected: {
    readonly loss: number;
    readonly rgba: Channels;
    readonly alpha_gradient: readonly (readonly number[])[];
    readonly finite_differences: readonly {
      readonly index: number;
      readonly derivative: number;
      readonly spread: number;
    }[];
  };
}

type Channels = readonly (readonly (readonly number[])[])[];

/** Errors relative to the largest expected magnitude. */
export interface SoftRasterErrors {
  /** Of `loss`. */
  readonly lossError: number;
  /** Over all channels of all pixels but those of `unknownPixels`. */
  readonly imageError: number;
  readonly alphaGradientError: number;
  /** Over the finite differences whose spread is at most 1e-3 of the derivative. */
  readonly finiteDifferenceError: number;
  /** The larger one of the two above. */
  readonly gradientError: number;
  /** The same over all pixels when every face shows its own colour, as the formula says and `softRas` draws. */
  readonly formulaImageError: number;
  /** Pixels in which a face shows the colour of the face after it; see {@link softRasterReference}. */
  readonly overreadPixels: number;
  /** Of these, pixels whose colour came from beyond the last face, so that no input says what it is. */
  readonly unknownPixels: number;
  readonly seconds: number;
}

/** Finite differences that two step sizes do not agree on by more than this share do not count. */
const LARGEST_SPREAD = 1e-3;

/**
 * Runs a `soft-raster-*` case on a device.
 *
 * The program that made the reference cases keeps a face's colour as a texture of one texel and, where the pixel's
 * clipped barycentric coordinate of the first or second corner is exactly 1, reads one texel too far: the next
 * face's colour, or after the last face whatever memory held. Those pixels (`overreadPixels`) are drawn like that
 * here, with `colors: 'texel'`; a colour from beyond the last face is taken from the expected picture, and its pixels
 * (`unknownPixels`) do not count in `imageError`. Everything else is the rasteriser as it always is.
 *
 * @throws for a case that is not square, or whose arrays do not fit together.
 */
export async function softRasterReference(given: SoftRasterCase, device: Device): Promise<SoftRasterErrors> {
  const { image_size: size, expected, weights } = given;
  checkCase(given);
  const began = performance.now();
  const { simulation, layout, draw } = await begin(given, device, 'texel');
  try {
    const dark = await draw([0, 0, 0]);
    const beyond = await colorBeyond(given, draw, dark);
    const image = beyond.color ? await draw(beyond.color) : dark;
    const gradient = async (channels: readonly number[]): Promise<Float64Array> => {
      const seed = planes(size, (c, y, x) => (channels.includes(c) ? weights[c][y][x] : 0));
      simulation.backward({ 'pixels.rgba': fromRows(layout, seed, 4) });
      return simulation.gradient('viewVertices.ndc');
    };
    const ofAlpha = await gradient([3]);
    const ofAll = await gradient([0, 1, 2, 3]);
    const seconds = (performance.now() - began) / 1000;

    const wanted = planes(size, (c, y, x) => expected.rgba[c][y][x]);
    const weight = planes(size, (c, y, x) => weights[c][y][x]);
    const loss = image.reduce((sum, value, k) => sum + value * weight[k], 0);
    const differences = expected.finite_differences.filter(
      (d) => d.spread <= LARGEST_SPREAD * Math.abs(d.derivative),
    );
    const alphaGradientError = relativeError(ofAlpha, expected.alpha_gradient.flat());
    const finiteDifferenceError = relativeError(
      differences.map((d) => ofAll[d.index]),
      differences.map((d) => d.derivative),
    );
    const formula = await drawFormula(given, device);
    return {
      lossError: Math.abs(loss - expected.loss) / Math.abs(expected.loss),
      imageError: relativeError(image, wanted, (k) => !beyond.pixels.has(Math.floor(k / 4))),
      formulaImageError: relativeError(formula, wanted),
      alphaGradientError,
      finiteDifferenceError,
      gradientError: Math.max(alphaGradientError, finiteDifferenceError),
      overreadPixels: countDiffering(image, formula),
      unknownPixels: beyond.pixels.size,
      seconds,
    };
  } finally {
    simulation.dispose();
  }
}

/** Builds a case. `draw` takes the colour beyond the last face, which only `texel` shows, and gives rows of pixels. */
async function begin(given: SoftRasterCase, device: Device, colors: 'face' | 'texel'): Promise<Run> {
  const { image_size: size, sigma, gamma, near, far, face_colors, background } = given;
  const all = (last: readonly number[]): number[] =>
    face_colors.flatMap((own, face) => {
      const next = face_colors[face + 1] ?? last;
      return colors === 'face' ? [...own] : [...next, ...next, ...own];
    });
  const { model, layout } = deviceScene(
    { width: size, height: size },
    { vertices: given.ndc_vertices.flat(), faces: given.faces.flat(), colors: all([0, 0, 0]) },
    { ...softRasOptions({ sigma, gamma, near, far }), colors },
    ['color'],
    background,
  );
  const simulation = await createSimulation(model, {
    device,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    parameters: colors === 'face' ? [] : ['viewVertices.ndc'],
    record: ['pixels.rgba'],
  });
  return {
    layout,
    simulation,
    draw: async (last) => {
      simulation.set('faces.color', all(last));
      simulation.forward();
      return toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    },
  };
}

async function drawFormula(given: SoftRasterCase, device: Device): Promise<Float64Array> {
  const { simulation, draw } = await begin(given, device, 'face');
  const image = await draw([0, 0, 0]);
  simulation.dispose();
  return image;
}

/** How many pixels differ in colour by more than rounding. */
function countDiffering(a: Float64Array, b: Float64Array): number {
  let count = 0;
  for (let k = 0; k < a.length; k += 4) {
    if ([0, 1, 2].some((c) => Math.abs(a[k + c] - b[k + c]) > 1e-6)) count++;
  }
  return count;
}

interface Run {
  readonly layout: ImageLayout;
  readonly simulation: Simulation;
  /** Draws with a colour beyond the last face; gives rows of red, green, blue, alpha. */
  readonly draw: (beyondLast: readonly number[]) => Promise<Float64Array>;
}

/** Which pixels show the colour beyond the last face, and what that colour was, from the expected picture. */
async function colorBeyond(
  { image_size: size, expected }: SoftRasterCase,
  draw: Run['draw'],
  dark: Float64Array,
): Promise<{ color?: number[]; pixels: ReadonlySet<number> }> {
  const bright = await draw([1, 1, 1]);
  const share = (pixel: number): number => bright[4 * pixel] - dark[4 * pixel];
  const pixels = Array.from({ length: size * size }, (_, pixel) => pixel).filter(
    (pixel) => share(pixel) > 1e-9,
  );
  if (pixels.length === 0) return { pixels: new Set() };
  const most = pixels.reduce((a, b) => (share(b) > share(a) ? b : a));
  const color = [0, 1, 2].map(
    (c) => (expected.rgba[c][Math.floor(most / size)][most % size] - dark[4 * most + c]) / share(most),
  );
  return { color, pixels: new Set(pixels) };
}

/** Rows of pixels, four channels together, from a value for each. */
function planes(size: number, value: (channel: number, y: number, x: number) => number): Float64Array {
  return Float64Array.from({ length: size * size * 4 }, (_, k) => {
    const pixel = Math.floor(k / 4);
    return value(k % 4, Math.floor(pixel / size), pixel % size);
  });
}

function relativeError(
  got: ArrayLike<number>,
  wanted: ArrayLike<number>,
  counts: (k: number) => boolean = () => true,
): number {
  let [error, largest] = [0, 0];
  for (let k = 0; k < wanted.length; k++) {
    largest = Math.max(largest, Math.abs(wanted[k]));
    if (counts(k)) error = Math.max(error, Math.abs(got[k] - wanted[k]));
  }
  return largest > 0 ? error / largest : error;
}

function checkCase({
  image_size: size,
  ndc_vertices,
  faces,
  face_colors,
  weights,
  expected,
}: SoftRasterCase): void {
  if (face_colors.length !== faces.length) {
    throw new Error(`The case has ${faces.length} faces, but ${face_colors.length} face_colors.`);
  }
  if (expected.alpha_gradient.length !== ndc_vertices.length) {
    throw new Error(
      `The case has ${ndc_vertices.length} vertices, but ${expected.alpha_gradient.length} rows of alpha_gradient.`,
    );
  }
  for (const [name, picture] of [
    ['weights', weights],
    ['expected.rgba', expected.rgba],
  ] as const) {
    const fits =
      picture.length === 4 &&
      picture.every((c) => c.length === size && c.every((row) => row.length === size));
    if (!fits) throw new Error(`The case's ${name} is not 4 x ${size} x ${size}, as image_size says.`);
  }
}
