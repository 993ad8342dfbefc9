import type { Frames } from '@gradsim/video';
import { createFrames, frameAt, frameCount, medianBackground } from '@gradsim/video';

/** Number of frames used, evenly spread around the reference of the shifts: distant ones are less certain. */
const MAX_FRAMES = 21;
/** Length of the interval of frames around the reference from which they are taken, in frames. */
const NEAREST = 120;
/**
 * Change of brightness (0 to 1) between neighbouring pixels below which it is compression noise and shows no movement.
 */
const FAINT = 0.01;
/**
 * Ratio of the differences between frames after undoing the camera's shifts to those before, below which undoing them
 * counts as successful.
 */
const LESS = 0.8;

/**
 * Tests whether measured shifts are the camera's. Before a plain background they follow the moving thing, which has the
 * strongest edges. Shifts of the camera bring the static scene to rest: at the edges of the median over time, before or
 * after they are undone, half of the frames differ from it by clearly less afterwards.
 *
 * @param reference the frame whose shift is 0.
 */
export function isOfCamera(raw: Frames, steadied: Frames, reference: number): boolean {
  const first = Math.max(0, reference - NEAREST / 2);
  const count = Math.min(frameCount(raw), reference + NEAREST / 2) - first;
  if (count < 3) return true;
  const used = Math.min(count, MAX_FRAMES);
  const chosen = Array.from({ length: used }, (_, k) => first + Math.round((k * (count - 1)) / (used - 1)));
  const [before, after] = [raw, steadied].map((film) => restOf(film, chosen));
  let [moving, still] = [0, 0];
  for (let i = 0; i < before.edge.length; i++)
    if (before.edge[i] || after.edge[i]) {
      moving += before.deviation[i];
      still += after.deviation[i];
    }
  return still < LESS * moving;
}

/** Edges of a film's median over time, and the median difference of the frames from it there. */
function restOf(film: Frames, chosen: readonly number[]): { edge: Uint8Array; deviation: Float64Array } {
  const some = createFrames(film, chosen.length);
  chosen.forEach((frame, k) => {
    frameAt(some, k).set(frameAt(film, frame));
  });
  const median = frameAt(medianBackground(some), 0);
  const { width, height, channels } = film;
  const edge = new Uint8Array(width * height);
  const deviation = new Float64Array(width * height);
  const off = new Float64Array(chosen.length);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const change = (step: number): number => {
        let most = 0;
        for (let c = 0; c < channels; c++) {
          const i = channels * at + c;
          most = Math.max(most, Math.abs(median[i + channels * step] - median[i - channels * step]) / 2);
        }
        return most;
      };
      if (Math.max(change(1), change(width)) < FAINT) continue;
      edge[at] = 1;
      for (let k = 0; k < off.length; k++) {
        const picture = frameAt(some, k);
        off[k] = 0;
        for (let c = 0; c < channels; c++) off[k] += Math.abs(picture[channels * at + c] - median[channels * at + c]);
      }
      deviation[at] = off.sort()[off.length >> 1];
    }
  return { edge, deviation };
}
