import type { ParameterSpec, Problem } from '@gradsim/optim';
import { fromRows, layoutOf } from '@gradsim/render';
import { cropFrames, frameAt, resizeFrames } from '@gradsim/video';
import type { SceneRenderer } from '../scenes/renderers.ts';
import type { Footage } from './footage.ts';
import { CLEAR, FIRST, FRAME_RATE, HALF } from './footage.ts';
import { dropModel, substepsPerFrame } from './model.ts';
import { LEAD } from './parameters.ts';
import { TOUCHDOWN, touchdown } from './touchdown.ts';

/** A twelfth of the picture, less a margin of 2 pixels to either side. */
const SIZE = { width: 14, height: 143 };
const MARGIN = 1;
/** Every so many frames of the video. Divides the frames before the touchdown. */
const EVERY = 4;
/** Of the pixels, times how many of them blur makes alike. */
const RESIDUAL_VARIANCE = 0.01 * 100;

/**
 * The drop in whole pictures, small and blurred mainly along the fall, so that a ball far from its place still feels
 * where it should be.
 *
 * @param picture with the softness of the outline in pixels of 12 of the video.
 */
export function wholePictureProblem(
  { masks }: Footage,
  parameters: readonly ParameterSpec[],
  picture: { readonly softness: number; readonly hasFloor: boolean; readonly renderer: SceneRenderer },
): Problem {
  const { softness, hasFloor } = picture;
  const model = dropModel({ ...picture, whole: SIZE, subdivisions: 0 });
  const layout = layoutOf(model);
  const seen = masks.data.length / (HALF.width * HALF.height);
  const frames = Math.max(Math.floor((seen - 1 + LEAD) / EVERY), TOUCHDOWN / EVERY) + 1;
  const inside = cropFrames(masks, { x: MARGIN, y: 0, width: HALF.width - 2 * MARGIN, height: HALF.height });
  const small = resizeFrames(inside, SIZE);
  const target = new Float64Array(frames * layout.pixels);
  const chosen: number[] = [];
  for (let k = 0; k < frames; k++) {
    const frame = k * EVERY - LEAD;
    if (frame < CLEAR - FIRST || frame >= seen) continue;
    const picture = blurred(frameAt(small, frame), softness);
    if (!picture) continue;
    chosen.push(k);
    target.set(fromRows(layout, picture, 1), k * layout.pixels);
  }
  return {
    model,
    frames,
    frameRate: FRAME_RATE / EVERY,
    substeps: substepsPerFrame(hasFloor) * EVERY,
    parameters,
    observations: [
      { field: 'pixels.alpha', target, frames: chosen },
      ...(hasFloor ? [] : [touchdown(frames, TOUCHDOWN / EVERY, RESIDUAL_VARIANCE)]),
    ],
    options: { iterations: 40, tolerance: 1e-3 },
  };
}

/** A picture blurred as much as the silhouette is soft, with a peak of 1; nothing where there is no ball. */
function blurred(mask: Float32Array, softness: number): Float64Array | undefined {
  const { width, height } = SIZE;
  const down = 1.3 * softness;
  // Softness is the same in device coordinates across and down, and the picture is narrow.
  const across = (down * width) / height + 0.3;
  const picture = new Float64Array(width * height);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const m = mask[v * width + u];
      if (m < 0.02) continue;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          picture[y * width + x] += m * Math.exp(-(((y - v) / down) ** 2 + ((x - u) / across) ** 2) / 2);
        }
      }
    }
  }
  const peak = picture.reduce((most, value) => Math.max(most, value), 0);
  return peak > 0 ? picture.map((value) => value / peak) : undefined;
}
