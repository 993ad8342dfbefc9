import { project } from './camera.ts';
import type { Recording, SpoiledTake } from './take.ts';

/** Record stored beside a film: facts known to the person filming, and separately the truth. */
export function recordOf(take: Recording, path: string) {
  const { scene, number, seed, camera, frameRate, frames, lost, shutter, look, quality, spoiled, times } = take;
  return {
    film: path,
    kind: scene.kind,
    number,
    seed,
    /** Number of frames, and frame rate, frames per second; frame 0 is at time 0. */
    frames: frames - lost.length,
    frameRate,
    ...(times && { times }),
    /** Pinhole camera: eye and target, m; vertical field of view, rad; size, px. */
    camera,
    /** Measurements beside the film, by the names of the kind's measures: exact values. */
    measured: {
      ...scene.measured,
      ...(scene.marks && { ends: scene.marks.flatMap((end) => project(camera, end).slice(0, 2)) }),
      fieldOfView: (camera.fieldOfView * 180) / Math.PI,
      eye: camera.eye,
      target: camera.target,
    } as Readonly<Record<string, number | readonly number[] | null>>,
    /** True values for comparison only: unknown to an estimate. */
    truth: scene.truth,
    start: scene.start,
    shutter,
    look,
    quality,
    lost,
    ...(spoiled && { spoiled }),
  };
}

/** Content of a record file. */
export type FilmRecord = ReturnType<typeof recordOf> & { readonly spoiled?: SpoiledTake };
