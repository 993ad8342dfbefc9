import { colourDistance, type Frames, outlinesOf, pictureInRegion } from '@gradsim/video';
import { circleOfRim } from '../../outlines/circle.ts';
import { rimError } from '../../outlines/observation.ts';
import type { ObservedOutline } from '../../outlines/observed.ts';
import { reachesOf } from '../../outlines/reach.ts';
import { BALL } from '../../tuning/ball.ts';
import type { FilmPictures } from '../outlines.ts';
import { type CropRegion, cutAround } from '../pictures.ts';

/** Place of a ball by a mask, and the rim that tells it. */
interface RoundOutline {
  readonly start: ObservedOutline;
  /** Rim of the mask, or of all that differs from the background; its middle is the mask's. */
  readonly rim: ObservedOutline;
}

/**
 * Finds the ball of a mask: the mask itself if most of its rim is round, else the circle through most of its rim, or of the
 * rim of all that differs from the background, shadows included: a mask lacks parts of a ball that look like the background
 * in shadow.
 */
export function roundOf(film: FilmPictures, frame: number, seen: ObservedOutline): RoundOutline {
  const { x, y, size, reaches } = seen;
  const asMask = { start: seen, rim: seen };
  if (!reaches) return asMask;
  const tolerance = rimError(size);
  const share = reaches.filter((reach) => Math.abs(reach - size) < tolerance).length / reaches.length;
  if (share > BALL.round) return asMask;
  const cut = cutAround([[x, y]], BALL.around * size, film.frames);
  const all = reachesOf(outlinesOf(differences(film, frame, cut), 0), x - cut.left, y - cut.top);
  const found = [reaches, all].flatMap((own) => {
    const circle = circleOfRim({ x, y, reaches: own }, tolerance);
    return circle && circle.share > Math.max(share + BALL.rounder, BALL.leastRound)
      ? [{ circle, rim: { ...seen, reaches: own } }]
      : [];
  });
  const [best] = found.sort((a, b) => b.circle.share - a.circle.share);
  if (!best) return asMask;
  const { circle, rim } = best;
  return { start: { ...seen, x: circle.x, y: circle.y, size: circle.size }, rim };
}

/** True if a picture is not like the film's background at a place, px. */
export function differsFromBackground(film: FilmPictures, frame: number, [x, y]: readonly [number, number]): boolean {
  const at = { left: Math.floor(x), top: Math.floor(y), width: 1, height: 1 };
  return differences(film, frame, at).data[0] > 0.5;
}

/** Part of a frame as a mask of what differs from the background: above one half where it does, however little it looks like a thing. */
function differences({ frames, background }: FilmPictures, frame: number, cut: CropRegion): Frames {
  const { left: x, top: y, width, height } = cut;
  const part = { x, y, width, height };
  const away = colourDistance(pictureInRegion(frames, frame, part), pictureInRegion(background, 0, part));
  return { ...away, data: away.data.map((distance) => Math.min(distance / (2 * BALL.unlike), 1)) };
}
