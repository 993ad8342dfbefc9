import { mean } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { MarkerFrame } from '../marker.ts';
import { predictMarkers } from './foretell.ts';
import type { HeldRecording, SoftBodyMarkers, SoftBodyMarkersOptions } from './problem.ts';
import { softBodyMarkers } from './problem.ts';

/** Seconds of free motion that the first estimate compares: a few swings, so that a wrong modulus shifts none by half of it. */
const FIRST_SECONDS = 0.4;
/** Greatest part of the frames of which a first estimate saves time. */
const MAX_FIRST_SHARE = 0.6;
/** Greatest factor by which the sag at rest changes the modulus in a round. */
const MAX_FACTOR = 10;
/** Maximum number of rounds, and the logarithm of a factor that ends them. */
const MAX_ROUNDS = 3;
const MAX_LOG_FACTOR = 0.1;
/** Runs that the derivative by one unknown takes as long as; measured for a beam with nine: 14.7 in all. */
const RUNS_PER_UNKNOWN = 1.5;
/** The first estimate only provides a start. */
const FIRST_ESTIMATE = { search: { iterations: 8, tolerance: 1e-2 }, uncertainty: { standardErrors: false } } as const;

/**
 * Makes the problem of {@link softBodyMarkers}, searched from a better start: the modulus at which the bodies sag at rest as
 * measured, then what the first swings say of modulus and dashpot. Late swings of a body of another modulus are
 * out of phase, and lead a search that begins with all of them astray.
 *
 * ```ts
 * const { problem } = await startedMarkers([{ recording, frames: 160 }], options, { device });
 * const found = await estimate(problem, { device });
 * ```
 * @param around.log gets a line that says, before the search begins, how long an iteration takes.
 * @throws GradsimError as `softBodyMarkers` does.
 */
export async function startedMarkers(
  held: readonly HeldRecording[],
  options: SoftBodyMarkersOptions,
  { device, log = () => {} }: { readonly device: Device; readonly log?: (line: string) => void },
): Promise<SoftBodyMarkers> {
  let from = options;
  let seconds = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const began = performance.now();
    const factor = mean(await modulusFactors(held, from, device));
    seconds = (performance.now() - began) / 1000;
    from = { ...from, material: { ...from.material, youngsModulus: from.material.youngsModulus * factor } };
    if (Math.abs(Math.log(factor)) < MAX_LOG_FACTOR) break;
  }
  const made = softBodyMarkers(held, from);
  log(forecast(made.problem, held.length * (options.mesh.tets.length / 4), seconds));
  const { frameRate } = held[0].recording;
  const beginning = held.map((one) => ({
    ...one,
    frames: Math.min(one.frames, Math.ceil(((options.handContactSeconds ?? 0) + FIRST_SECONDS) * frameRate)),
  }));
  const asTold = { ...from, tolerance: { ...options.tolerance, load: 0 } };
  const short = softBodyMarkers(beginning, { ...asTold, unknown: ['youngsModulus', 'dashpot'] }).problem;
  if (short.frames > MAX_FIRST_SHARE * made.problem.frames) return made;
  // The registration as the markers had it at rest, and loads as told, are near enough.
  const unknown = short.parameters!.filter(
    ({ name, field }) => name in options.material || field === MarkerFrame.release,
  );
  const { parameters: found } = await estimate({ ...short, parameters: unknown, options: FIRST_ESTIMATE }, { device });
  const parameters = made.problem.parameters!.map((one) => ({
    ...one,
    initial: found[one.name]?.estimate ?? one.initial,
  }));
  return { ...made, problem: { ...made.problem, parameters } };
}

/** Says how long an iteration takes at most, from the seconds of a run without derivatives, and what shortens it. */
function forecast({ frames, substeps, parameters }: Problem, elements: number, seconds: number): string {
  const iteration = seconds * (1 + RUNS_PER_UNKNOWN * parameters!.length);
  const time = iteration < 120 ? `${Math.ceil(iteration)} s` : `${Math.ceil(iteration / 60)} min`;
  return `${elements} elements and ${(frames - 1) * substeps} substeps: at most ${time} an iteration, less with larger cells or fewer seconds`;
}

/**
 * Factors of the modulus by which each body would sag at rest as measured. Displacements are inversely proportional to it while they
 * are small; of a body that is guessed far too soft they are not, so that one round is not enough.
 */
async function modulusFactors(
  held: readonly HeldRecording[],
  options: SoftBodyMarkersOptions,
  device: Device,
): Promise<number[]> {
  const factors: number[] = [];
  for (const one of held) {
    // With a hand no instant of release is searched for, which does not change where the body comes to rest.
    const led = { ...options, handContactSeconds: options.handContactSeconds || 1 / one.recording.frameRate };
    const { rest } = await predictMarkers(one, led, { device });
    factors.push(Math.min(Math.max(rest.predicted / rest.measured, 1 / MAX_FACTOR), MAX_FACTOR));
  }
  return factors;
}
