import type { Frames } from '@gradsim/video';
import { createFrames, frameAt, frameCount, medianBackground } from '@gradsim/video';

/** So many frames tell it, evenly out of so many about the one that shifts are counted from: farther off they are less sure. */
const MAX_FRAMES = 21;
const NEAREST = 120;
/** Pixels whose brightness changes by less from one to the next show no movement: noise of compression. */
const FAINT = 0.01;
/** A camera that moved leaves the edges of what stands still at rest once that is undone. */
const LESS = 0.8;

/**
 * Whether shifts that were found are the camera's. Before a plain background they follow what moves, whose edges are the
 * strongest that there are. The camera's are those that bring what stands still to rest: at the edges of the median over time,
 * before or after they are undone, half of the frames differ from it by clearly less afterwards.
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

/** Where a film's median over time has edges, and by how much the frame in the middle of the order differs from it. */
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
