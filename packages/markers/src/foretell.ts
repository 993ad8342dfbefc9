import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { mean } from '@gradsim/numeric';
import { estimate } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { Marker, MarkerFrame } from './marker.ts';
import type { HeldRecording, SoftBodyMarkersOptions } from './soft-body-problem.ts';
import { softBodyMarkers } from './soft-body-problem.ts';

/** Foretold positions of markers, and how far off they are. */
export interface ForetoldMarkers {
  /** First frame of the recording that is frame 0 of both. */
  readonly first: number;
  /** Positions, m, axes of the recording: [frame][marker][component]. */
  readonly foretold: Float64Array;
  /** Measured ones, NaN where a marker was not seen. */
  readonly measured: Float64Array;
  /** Root mean square distance of a marker from its foretold position, m. */
  readonly error: number;
  /** Mean displacement of the markers in the last half second, m: foretold and measured. */
  readonly rest: { readonly foretold: number; readonly measured: number };
}

/** Frames from the first that moves from which the instant of release is found. */
const FRAMES_OF_RELEASE = 8;
/** Seconds at the end whose mean is the position at rest. */
const AT_REST = 0.5;

/**
 * Foretells a recording with a material that was not fitted to it. The recording itself says its registration, from
 * markers at rest, and the instant of release, from the first frames of the motion, and nothing else.
 *
 * ```ts
 * const { error } = await foretellMarkers({ recording, load, frames: 250 }, { ...options, material }, { device });
 * ```
 * @throws GradsimError as `softBodyMarkers` does.
 */
export async function foretellMarkers(
  held: HeldRecording,
  options: SoftBodyMarkersOptions,
  { device }: { readonly device: Device },
): Promise<ForetoldMarkers> {
  const { problem, first, target, markers } = softBodyMarkers([held], { ...options, unknown: [] });
  const values = 3 * markers;
  const frames = Math.min(problem.frames, FRAMES_OF_RELEASE + 4);
  const [observation] = problem.observations!;
  const beginning = await estimate(
    {
      ...problem,
      frames,
      parameters: problem.parameters!.filter(({ field }) => field === MarkerFrame.release),
      observations: [
        {
          ...observation,
          target: target.slice(0, frames * values),
          weights: Array.from(observation.weights!).slice(0, frames * values),
        },
      ],
      derived: {},
    },
    { device },
  );
  const [release] = Object.values(beginning.parameters);
  const simulation = await createSimulation(problem.model, {
    device,
    frames: problem.frames,
    frameRate: problem.frameRate,
    substeps: problem.substeps,
    parameters: [Particle.mass, MarkerFrame.release],
    record: [Marker.position],
  });
  try {
    for (const [field, of] of Object.entries(problem.values ?? {})) simulation.set(field, of);
    simulation.set(MarkerFrame.release, [release.estimate]);
    simulation.forward();
    const foretold = Float64Array.from(await simulation.readFrames(Marker.position));
    return {
      first: first[0],
      foretold,
      measured: target,
      ...errorsOf(foretold, target, values, held.recording.frameRate),
    };
  } finally {
    simulation.dispose();
  }
}

function errorsOf(foretold: Float64Array, measured: Float64Array, values: number, frameRate: number) {
  let [squares, count] = [0, 0];
  for (let k = 0; k < measured.length; k++)
    if (!Number.isNaN(measured[k])) {
      squares += (foretold[k] - measured[k]) ** 2;
      count++;
    }
  const frames = measured.length / values;
  const last = Math.min(frames, Math.round(AT_REST * frameRate));
  /** Distance between the mean positions at the end and those of frame 0, mean of the markers. */
  const restOf = (of: Float64Array): number => {
    const distances = Array.from({ length: values / 3 }, (_, m) =>
      Math.hypot(
        ...[0, 1, 2].map((c) => {
          const at = (f: number): number => of[f * values + 3 * m + c];
          const seen = Array.from({ length: last }, (__, k) => at(frames - last + k)).filter(Number.isFinite);
          return mean(seen) - at(0);
        }),
      ),
    );
    return mean(distances);
  };
  return {
    error: Math.sqrt((3 * squares) / count),
    rest: { foretold: restOf(foretold), measured: restOf(measured) },
  };
}
