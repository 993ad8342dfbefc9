import type { Spoiled, Take } from './take.ts';

/** Record beside a film: the facts known to whoever took it, and separately the truth. */
export function recordOf(take: Take, path: string) {
  const { scene, number, seed, camera, frameRate, frames, lost, shutter, look, quality, spoiled } = take;
  return {
    film: path,
    kind: scene.kind,
    number,
    seed,
    /** Frames of the film, and a second; frame 0 is at time 0. */
    frames: frames - lost.length,
    frameRate,
    /** A pinhole: eye, target, m; vertical field of view, rad; pixels. */
    camera,
    /** SI units. */
    known: scene.known,
    /** For comparison alone: nothing below is known to one who estimates. */
    truth: scene.truth,
    start: scene.start,
    shutter,
    look,
    quality,
    lost,
    ...(spoiled && { spoiled }),
  };
}

/** The record as it is read. */
export type FilmRecord = ReturnType<typeof recordOf> & { readonly spoiled?: Spoiled };
