import type { Model } from '@gradsim/core';
import type { Estimate, Observation, Problem, Stage, Strip } from '@gradsim/optim';
import type { Track } from '@gradsim/video';
import type { Film } from './film.ts';
import { outline, outlineShifts } from './outlines.ts';

/** A stage of an experiment that compares a track of a film. */
export interface OutlineStageOptions
  extends Pick<Problem, 'parameters' | 'options' | 'values' | 'derived' | 'ties'>,
    Pick<Stage, 'notes'> {
  readonly name: string;
  /** Substeps between two frames of the film. */
  readonly substeps: number;
  /** Default: of what covers most in the film. */
  readonly track?: Track;
}

/** An outline is known to so much in each frame. Pixels. */
const DOUBT = 0.2;
/** And to this part of the way to the frames beside it: blur hides where an edge is. */
const BLUR_DOUBT = 0.1;

/** An outline that is seen: the middle of its area, pixels from the left and the upper edge, and the root of its area over pi. */
export interface SeenOutline {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/**
 * Outlines as targets for `world.outline`, frame by frame; nothing of frames in which none is seen counts.
 *
 * @param hasSizes whether sizes count: those of thin things are mostly rim. Default true.
 */
export function outlineTargets(
  outlines: readonly (SeenOutline | null | undefined)[],
  hasSizes = true,
): Observation {
  return {
    field: outline,
    target: outlines.flatMap((seen) => (seen ? [seen.x, seen.y, seen.size] : [0, 0, 0])),
    weights: outlines.flatMap((seen) => (seen ? [1, 1, Number(hasSizes)] : [0, 0, 0])),
    noise: outlines.map((seen, frame) => {
      const ways = [outlines[frame - 1], outlines[frame + 1]].map((beside) =>
        seen && beside ? Math.hypot(beside.x - seen.x, beside.y - seen.y) : 0,
      );
      return Math.hypot(DOUBT, BLUR_DOUBT * Math.max(...ways));
    }),
  };
}

/**
 * A track of a film as targets for `world.outline`. Frames in which the thing is not seen, or not whole, do not count.
 *
 * @throws when the track is not of the film's frames.
 */
export function outlineObservation(film: Film, track: Track = firstTrack(film)): Observation {
  const { count } = film;
  const beyond = track.points.find(({ frame }) => frame >= count);
  if (beyond)
    throw new Error(`The track ${track.name} has frame ${beyond.frame}; the film has ${count} frames.`);
  const outlines = Array<SeenOutline | undefined>(count).fill(undefined);
  for (const { frame, x, y, area, blob } of track.points)
    if (area !== undefined && blob?.isWhole !== false)
      outlines[frame] = { x, y, size: Math.sqrt(area / Math.PI) };
  return outlineTargets(outlines);
}

/**
 * A stage that compares a track of a film with the outline that a model shows, by the plugin `outlines`, and draws the
 * estimate's outline over the film for its report. What outlines are off by in all frames alike is an unknown beside those given.
 *
 * ```ts
 * return [outlineStage(film, model, { name: 'bounce', substeps: 4, parameters })];
 * ```
 */
export function outlineStage(film: Film, model: Model, stage: OutlineStageOptions): Stage {
  const { name, substeps, notes, track, parameters = [], ...problem } = stage;
  return {
    name,
    problem: {
      ...{ model, ...film.timeline(substeps), ...problem },
      parameters: [...parameters, ...outlineShifts()],
      observations: [outlineObservation(film, track)],
    },
    strip: (estimate) => drawn(film, estimate),
    ...(notes ? { notes } : {}),
  };
}

function firstTrack({ tracks }: Film): Track {
  if (tracks.length === 0) throw new Error('Nothing that moves is found in the film.');
  return tracks[0];
}

/** Of a line that is drawn, pixels. */
const HALF_WIDTH = 0.7;
const LINE = [1, 0.1, 0.8];

/** The film, and the film with the estimate's outlines drawn as rings. */
function drawn(film: Film, { predicted }: Estimate): Strip {
  const { width, height } = film.size;
  const rings = predicted['world.outline'];
  const pictures = film.frames.data.slice();
  for (let frame = 0; frame < film.count; frame++) {
    const [x, y, radius] = [0, 1, 2].map((c) => rings[3 * frame + c]);
    const reach = radius + 2;
    for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(height, y + reach); row++)
      for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(width, x + reach); column++) {
        const off = Math.abs(Math.hypot(column + 0.5 - x, row + 0.5 - y) - radius);
        const part = Math.min(Math.max(HALF_WIDTH + 0.5 - off, 0), 1);
        const at = 3 * ((frame * height + row) * width + column);
        for (let c = 0; c < 3; c++) pictures[at + c] += part * (LINE[c] - pictures[at + c]);
      }
  }
  return {
    ...{ width, height, frames: [...Array(film.count).keys()] },
    ...{ target: film.frames.data, estimate: pictures },
  };
}
