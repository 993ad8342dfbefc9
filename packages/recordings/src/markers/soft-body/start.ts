import { mean } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { MarkerFrame } from '../marker.ts';
import { foretellMarkers } from './foretell.ts';
import type { HeldRecording, SoftBodyMarkers, SoftBodyMarkersOptions } from './problem.ts';
import { softBodyMarkers } from './problem.ts';

/** Seconds of free motion that the first estimate compares: a few swings, so that a wrong modulus shifts none by half of it. */
const BEGINNING = 0.4;
/** Greatest part of the frames of which a first estimate saves time. */
const WORTHWHILE = 0.6;
/** Greatest factor by which the sag at rest changes the modulus in a round. */
const FACTOR = 10;
/** Maximum number of rounds, and the logarithm of a factor that ends them. */
const ROUNDS = 3;
const NEAR = 0.1;
/** The first estimate only provides a start. */
const ROUGH = { search: { iterations: 8, tolerance: 1e-2 }, uncertainty: { standardErrors: false } } as const;

/**
 * Makes the problem of {@link softBodyMarkers}, searched from a better start: the modulus at which the bodies sag at rest as
 * measured, then what the first swings say of modulus and dashpot. Late swings of a body of another modulus are
 * out of phase, and lead a search that begins with all of them astray.
 *
 * ```ts
 * const { problem } = await startedMarkers([{ recording, frames: 160 }], options, { device });
 * const found = await estimate(problem, { device });
 * ```
 * @throws GradsimError as `softBodyMarkers` does.
 */
export async function startedMarkers(
  held: readonly HeldRecording[],
  options: SoftBodyMarkersOptions,
  { device }: { readonly device: Device },
): Promise<SoftBodyMarkers> {
  let from = options;
  for (let round = 0; round < ROUNDS; round++) {
    const factor = mean(await factorsOf(held, from, device));
    from = { ...from, material: { ...from.material, youngsModulus: from.material.youngsModulus * factor } };
    if (Math.abs(Math.log(factor)) < NEAR) break;
  }
  const made = softBodyMarkers(held, from);
  const { frameRate } = held[0].recording;
  const beginning = held.map((one) => ({
    ...one,
    frames: Math.min(one.frames, Math.ceil(((options.hand ?? 0) + BEGINNING) * frameRate)),
  }));
  const asTold = { ...from, tolerance: { ...options.tolerance, load: 0 } };
  const short = softBodyMarkers(beginning, { ...asTold, unknown: ['youngsModulus', 'dashpot'] }).problem;
  if (short.frames > WORTHWHILE * made.problem.frames) return made;
  // The registration as the markers had it at rest, and loads as told, are near enough.
  const unknown = short.parameters!.filter(
    ({ name, field }) => name in options.material || field === MarkerFrame.release,
  );
  const { parameters: found } = await estimate({ ...short, parameters: unknown, options: ROUGH }, { device });
  const parameters = made.problem.parameters!.map((one) => ({
    ...one,
    initial: found[one.name]?.estimate ?? one.initial,
  }));
  return { ...made, problem: { ...made.problem, parameters } };
}

/**
 * Factors of the modulus by which each body would sag at rest as measured. Displacements are inversely proportional to it while they
 * are small; of a body that is guessed far too soft they are not, so that one round is not enough.
 */
async function factorsOf(
  held: readonly HeldRecording[],
  options: SoftBodyMarkersOptions,
  device: Device,
): Promise<number[]> {
  const factors: number[] = [];
  for (const one of held) {
    // With a hand no instant of release is searched for, which does not change where the body comes to rest.
    const led = { ...options, hand: options.hand || 1 / one.recording.frameRate };
    const { rest } = await foretellMarkers(one, led, { device });
    factors.push(Math.min(Math.max(rest.foretold / rest.measured, 1 / FACTOR), FACTOR));
  }
  return factors;
}
