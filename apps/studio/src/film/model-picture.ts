import { evenIndices } from '@gradsim/base';
import type { Pictures, TrackedThing } from '../work/film-messages.ts';
import { pictureOf } from './picture.ts';

/** Outline of the model in a frame: its middle, and distances to its rim in evenly spaced directions, px. */
export interface ModelOutline {
  readonly x: number;
  readonly y: number;
  readonly reaches: readonly number[];
}

/** Corners of a model's outline, px. */
export const cornersOf = ({ x, y, reaches }: ModelOutline): (readonly [number, number])[] =>
  reaches.map((reach, k) => {
    const angle = (2 * Math.PI * k) / reaches.length;
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  });

/** Number of pictures, spread over the film, whose median is the background. */
const SAMPLES = 15;
/** Number of values that are computed at once, between which the page stays responsive. */
const PIXELS_AT_ONCE = 60_000;

/** The model as a picture: its outline, in the mean colour of the thing, before the film's background. */
export interface ModelScene {
  readonly background: ImageData;
  readonly colour: string;
}

/** Background of the pictures, the median over time of every value, and the mean colour of a thing. */
export async function modelScene(
  pictures: Pictures,
  thing: TrackedThing | undefined,
  scale: number,
): Promise<ModelScene> {
  const { first, width, height, count, rgba } = pictures;
  const length = 4 * width * height;
  const starts = evenIndices(count, SAMPLES).map((k) => length * k);
  const samples = starts.length;
  const background = new ImageData(width, height);
  const values = new Uint8Array(samples);
  for (let at = 0; at < length; at++) {
    for (let k = 0; k < samples; k++) values[k] = rgba[starts[k] + at];
    values.sort();
    background.data[at] = values[samples >> 1];
    if (at % PIXELS_AT_ONCE === 0) await new Promise((done) => setTimeout(done));
  }
  // At the middle of the thing, where no background shows through.
  const sums = [0, 0, 0];
  const seen = thing?.seen ?? [];
  for (const { frame, x, y } of seen) {
    const [column, row] = [Math.floor(x * scale), Math.floor(y * scale)];
    const pixel = length * (frame - first) + 4 * (row * width + column);
    for (let c = 0; c < 3; c++) sums[c] += rgba[pixel + c] / seen.length;
  }
  return { background, colour: `rgb(${sums.map(Math.round).join(' ')})` };
}

/** Draws the model's picture of a frame, or without a model the film's own. */
export function drawModel(
  canvas: HTMLCanvasElement,
  {
    pictures,
    frame,
    model,
    scene,
    scale,
    from,
  }: {
    readonly pictures: Pictures;
    readonly frame: number;
    readonly model: ModelOutline | undefined;
    readonly scene: ModelScene | undefined;
    /** Pixels of the pictures to show a pixel of the film. */
    readonly scale: number;
    /** Part of the width, from the left, that is left empty. */
    readonly from: number;
  },
): void {
  const context = canvas.getContext('2d')!;
  const { width, height } = canvas;
  context.putImageData(model && scene ? scene.background : pictureOf(pictures, frame), 0, 0);
  if (model && scene) {
    context.fillStyle = scene.colour;
    context.beginPath();
    for (const [x, y] of cornersOf(model)) context.lineTo(x * scale, y * scale);
    context.fill();
  }
  context.clearRect(0, 0, from * width, height);
}
