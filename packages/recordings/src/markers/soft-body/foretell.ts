import { mean, type Vector } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { estimate, type Problem } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { Marker, MarkerFrame, measuredMotion } from '../marker.ts';
import type { HeldRecording, SoftBodyMarkersOptions } from './problem.ts';
import { softBodyMarkers } from './problem.ts';

/** Foretold positions of markers, and how far off they are. */
export interface PredictedMarkers {
  /** First frame of the recording that is frame 0 of both. */
  readonly first: number;
  /** First frame of both that is compared: before it a hand leads the markers. */
  readonly from: number;
  /** Positions, m, axes of the recording: [frame][marker][component]. */
  readonly predicted: Float64Array;
  /** Measured ones, NaN where a marker was not seen. */
  readonly measured: Float64Array;
  /** Root mean square distance of a marker from its foretold position, m. */
  readonly error: number;
  /** Mean displacement of the markers in the last half second from where they were held, m: foretold and measured. */
  readonly rest: { readonly predicted: number; readonly measured: number };
}

/** Frames from the release from which its instant is found. */
const FRAMES_OF_RELEASE = 8;
/** Seconds at the end whose mean is the position at rest. */
const AT_REST = 0.5;

/**
 * Foretells a recording with a material that was not fitted to it. The recording itself says where its markers are while
 * the body is held, their motion while a hand leads them, or, where that is an instant, the release, from the first frames of
 * the motion; without `registrations`, also that.
 *
 * ```ts
 * const { error } = await foretellMarkers({ recording, load, frames: 250 }, { ...options, material }, { device });
 * ```
 * @throws GradsimError as `softBodyMarkers` does.
 */
export async function predictMarkers(
  heldRecordings: HeldRecording,
  options: SoftBodyMarkersOptions,
  { device }: { readonly device: Device },
): Promise<PredictedMarkers> {
  const {
    problem,
    firstFrames,
    measured,
    clampedPoints: from,
  } = softBodyMarkers([heldRecordings], { ...options, unknown: [] });
  const values = 3 * from.length;
  const weights = Array.from(problem.observations![0].weights!);
  const compared = Math.floor(weights.indexOf(1) / values);
  const release = await releaseOf(problem, compared, device);
  const simulation = await createSimulation(problem.model, {
    device,
    frames: problem.frames,
    frameRate: problem.frameRate,
    substeps: problem.substeps,
    parameters: [Particle.mass, MarkerFrame.release],
    derivative: 'none',
    record: [Marker.position],
  });
  try {
    for (const [field, of] of Object.entries(problem.values ?? {})) simulation.set(field, of);
    if (release !== undefined) simulation.set(MarkerFrame.release, [release]);
    simulation.forward();
    const predicted = Float64Array.from(await simulation.readFrames(Marker.position));
    const both = { predicted, measured };
    return {
      first: firstFrames[0],
      from: compared,
      ...both,
      error: errorOf(both, weights),
      rest: restOf(both, from, Math.round(AT_REST * heldRecordings.recording.frameRate)),
    };
  } finally {
    simulation.dispose();
  }
}

/** Instant of release from the first frames of the motion, s; undefined where a hand leads for a given time. */
async function releaseOf(problem: Problem, compared: number, device: Device): Promise<number | undefined> {
  const parameters = problem.parameters!.filter(({ field }) => field === MarkerFrame.release);
  if (parameters.length === 0) return undefined;
  const frames = Math.min(problem.frames, compared + FRAMES_OF_RELEASE);
  const begin = (of: ArrayLike<number>): number[] => Array.from(of).slice(0, (of.length * frames) / problem.frames);
  const [observation] = problem.observations!;
  const motion = Object.values(measuredMotion).map(({ key }) => [key, begin(problem.values![key])]);
  const beginning: Problem = {
    ...problem,
    frames,
    parameters,
    values: { ...problem.values, ...Object.fromEntries(motion) },
    observations: [
      {
        ...observation,
        target: begin(observation.target as Float64Array),
        weights: begin(observation.weights!),
        frames: Array.from({ length: frames - compared }, (_, f) => compared + f),
      },
    ],
    derived: {},
    options: { uncertainty: { standardErrors: false } },
  };
  const found = await estimate(beginning, { device });
  return Object.values(found.parameters)[0].estimate;
}

type PredictedAndMeasured = Pick<PredictedMarkers, 'predicted' | 'measured'>;

function errorOf({ predicted, measured }: PredictedAndMeasured, weights: readonly number[]): number {
  let [squares, count] = [0, 0];
  for (const [k, weight] of weights.entries())
    if (weight > 0) {
      squares += (predicted[k] - measured[k]) ** 2;
      count++;
    }
  return Math.sqrt((3 * squares) / count);
}

/** Distance between the mean positions in the last frames and where markers were held, mean of the markers. */
function restOf(
  { predicted, measured }: PredictedAndMeasured,
  from: readonly Vector[],
  last: number,
): PredictedMarkers['rest'] {
  const values = 3 * from.length;
  const distance = (of: Float64Array): number => {
    const frames = of.length / values;
    return mean(
      from.map((origin, m) =>
        Math.hypot(
          ...origin.map((at, c) => {
            const all = Array.from(
              { length: Math.min(last, frames) },
              (_, k) => of[(frames - 1 - k) * values + 3 * m + c],
            );
            return mean(all.filter(Number.isFinite)) - at;
          }),
        ),
      ),
    );
  };
  return { predicted: distance(predicted), measured: distance(measured) };
}
