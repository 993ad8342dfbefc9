import { evenIndices } from '@gradsim/base';
import type { Frames } from '@gradsim/video';
import { createFrames, frameAt, frameCount, medianBackground } from '@gradsim/video';

/**
 * Number of frames that are compared, spread evenly around the reference frame of the shifts: shifts of distant frames
 * are less certain.
 */
const MAX_FRAMES = 21;
/** Length of the interval around the reference frame from which these frames are taken, frames. */
const NEARBY_FRAMES = 120;
/**
 * Difference of brightness (0 to 1) between neighbouring pixels below which it is attributed to compression noise, not
 * to an edge.
 */
const MIN_EDGE_DIFFERENCE = 0.01;
/**
 * Maximum ratio of the difference between frames and median after the camera's shifts are undone to that before, for
 * shifts that count as the camera's.
 */
const MAX_DIFFERENCE_RATIO = 0.8;

/**
 * Tests whether measured shifts are the camera's. In front of a plain background, measured shifts follow the moving
 * thing instead, which has the strongest edges. Undoing true camera shifts brings the static scene to rest: at the
 * edges of the median over time, the median difference of the frames from it becomes clearly smaller.
 *
 * @param reference the frame whose shift is 0.
 */
export function isOfCamera(raw: Frames, steadied: Frames, reference: number): boolean {
  const first = Math.max(0, reference - NEARBY_FRAMES / 2);
  const count = Math.min(frameCount(raw), reference + NEARBY_FRAMES / 2) - first;
  if (count < 3) return true;
  const chosen = evenIndices(count, MAX_FRAMES).map((k) => first + k);
  const [before, after] = [raw, steadied].map((film) => restOf(film, chosen));
  let [moving, still] = [0, 0];
  for (let i = 0; i < before.edge.length; i++)
    if (before.edge[i] || after.edge[i]) {
      moving += before.deviation[i];
      still += after.deviation[i];
    }
  return still < MAX_DIFFERENCE_RATIO * moving;
}

/** Edges of a film's median over time, and there the median difference of the frames from that median. */
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
      if (Math.max(change(1), change(width)) < MIN_EDGE_DIFFERENCE) continue;
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
