import { standardNormal } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Pixel } from '@gradsim/render';
import type { DrawnTrial } from './drawn.ts';
import { NOISE_LIMITS, toleranceOf } from './drawn.ts';
import type { ModelFault } from './faults.ts';
import { FAULTS } from './faults.ts';
import type { Film } from './film.ts';
import { Camera, CHANNELS, EXACT_CLOCK, PICTURE, tilesFromRows } from './film.ts';
import { givenOf } from './given.ts';
import type { Kind, Unknown, Values } from './kind.ts';
import { NO_DEPARTURE } from './kind.ts';
import { KINDS } from './kinds/index.ts';
import type { Biased } from './plain-fit.ts';
import { WhiteNoiseFit } from './plain-fit.ts';

/** Results for one unknown in a trial. */
export interface UnknownOutcome {
  readonly unknown: string;
  readonly truth: number;
  readonly estimate: number;
  /** Reported standard error; null if there is none, infinite if nothing determines the value. */
  readonly standardError: number | null;
  /** Standard error at the truth from white noise of the trial's standard deviation alone. */
  readonly whiteNoiseError: number;
  /** Bias: error of the estimate from the film without noise, in units of `whiteNoiseError`. */
  readonly b: number;
  /** Error of the estimate, in units of its reported standard error. */
  readonly z: number | null;
  /** True if the reported 95 % interval contains the truth. */
  readonly isHeld: boolean;
}

/** Outcome of a trial. */
export interface Outcome {
  readonly drawn: DrawnTrial;
  readonly strength: number;
  /** Standard deviation of the pixel noise, colours from 0 to 1. */
  readonly noise: number;
  /**
   * Length of the residuals that the model error leaves after plain least squares, divided by the noise: the
   * significance, in standard deviations, of a test along exactly its direction, which is unknown in practice. Below
   * about 6 no test of many directions finds it.
   */
  readonly visible: number;
  /** True if the error is in a measured quantity and within its stated tolerance. */
  readonly isCovered: boolean;
  readonly unknowns: readonly UnknownOutcome[];
  readonly explained: number | null;
  readonly trusted: boolean;
  /** Kinds of the findings that the verdict calls critical. */
  readonly critical: readonly string[];
  readonly others: readonly string[];
  /** Sizes of the errors of clock and model that the verdict lists as unseen, by kind. */
  readonly unseen: Readonly<Record<string, number>>;
  /** Processor time of the estimation, and of the whole trial, s. */
  readonly seconds: { readonly estimation: number; readonly all: number };
}

/** Ratio of reached to target bias, either way, within which the search for a strength stops. */
const MAX_BIAS_RATIO = 1.15;
/** Maximum number of strengths tried to first order, and then with a full fit. */
const [TRIED, MEASURED] = [8, 3];
/** Lower bound of a bias, in standard errors, so that its logarithm is finite. */
const MIN_BIAS = 1e-12;
/** First strength of a model error that is tried, as a fraction of the largest. */
const FIRST_STRENGTH = 0.05;

/**
 * Films a truth, estimates from the film, and measures the effect of the model error on plain least squares.
 *
 * @param options `isGiven`: true to tell the estimation the measured quantities and their tolerances; `clock`: relative
 * tolerance of the frame rate that it is told, 0 for none.
 */
export async function runTrial(
  drawn: DrawnTrial,
  { device, isGiven, clock = 0 }: { readonly device: Device; readonly isGiven: boolean; readonly clock?: number },
): Promise<Outcome> {
  const began = process.cpuUsage();
  const kind: Kind = KINDS[drawn.kind];
  const random = randomNumbers(drawn.seed);
  const truth: Values = Object.fromEntries(
    kind.unknowns.map(({ name, trueRange: [low, high] }) => [name, low + (high - low) * random()]),
  );
  const { film, strength, noise, visible, bias, errors } = await filmTrial(drawn, truth, device, random);
  const noisy = film.map((value, k) =>
    k % CHANNELS === CHANNELS - 1 ? value : value + noise * standardNormal(random),
  );
  const starts = kind.unknowns.map(({ name, startDeviation: off }) => truth[name] * (1 + off * (2 * random() - 1)));
  const start = Object.fromEntries(kind.unknowns.map(({ name }, i) => [name, starts[i]]));
  const estimating = process.cpuUsage();
  const model = kind.model(start, NO_DEPARTURE);
  const found = await estimate(
    {
      model,
      ...(isGiven ? { given: givenOf(model), ties: kind.sizes(model) } : {}),
      ...(clock > 0 ? { clockTolerance: clock } : {}),
      ...kind.timeline,
      parameters: kind.unknowns.map((unknown, i) => parameterOf(unknown, starts[i], truth)),
      observations: [
        {
          field: Pixel.rgba,
          target: tilesFromRows(noisy),
          weights: [1, 1, 1, 0],
          ...(drawn.isNoiseGiven ? { noise } : {}),
        },
      ],
      options: kind.options,
    },
    { device },
  );
  const { trusted, findings, unseen } = found.verdict;
  const kindsOf = (areCritical: boolean): string[] => [
    ...new Set(findings.filter(({ isCritical }) => isCritical === areCritical).map((finding) => finding.kind)),
  ];
  return {
    drawn,
    strength,
    noise,
    visible,
    trusted,
    isCovered: (isGiven && isTolerated(drawn, strength)) || isInClock(drawn, strength, clock),
    explained: found.fit?.observations[0].explained ?? null,
    critical: kindsOf(true),
    others: kindsOf(false),
    unseen: Object.fromEntries(unseen.map(({ kind: of, size }) => [of, size])),
    unknowns: kind.unknowns.map(({ name }, i): UnknownOutcome => {
      const { estimate: value, standardError, interval } = found.parameters[name];
      return {
        unknown: name,
        truth: truth[name],
        estimate: value,
        standardError,
        whiteNoiseError: errors[i],
        b: bias[i],
        z: standardError === null ? null : (value - truth[name]) / standardError,
        isHeld: interval !== null && interval[0] <= truth[name] && truth[name] <= interval[1],
      };
    }),
    seconds: { estimation: secondsSince(estimating), all: secondsSince(began) },
  };
}

/** Returns whether a model error affects a measured quantity by at most two of its tolerances. */
const isTolerated = ({ fault }: DrawnTrial, strength: number): boolean => {
  const tolerance = fault === 'none' ? null : toleranceOf(fault);
  return tolerance !== null && Math.abs(strength) <= 2 * tolerance;
};

/** Returns whether another frame rate is at most two tolerances of the clock away. */
const isInClock = ({ fault }: DrawnTrial, strength: number, clock: number): boolean =>
  fault === 'frame rate' && Math.abs(strength) <= 2 * clock;

const parameterOf = ({ trueRange: _, startDeviation: __, ...spec }: Unknown, initial: number, truth: Values) => ({
  ...spec,
  initial,
  truth: truth[spec.name],
});

const secondsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

interface FilmedTrial {
  readonly film: Film;
  readonly strength: number;
  readonly noise: number;
  readonly visible: number;
  /** Bias of each unknown, in standard errors of plain least squares. */
  readonly bias: readonly number[];
  /** Standard error of each unknown from white noise alone. */
  readonly errors: readonly number[];
}

/**
 * Films a truth with a model error whose strength causes about the drawn largest bias. If no physically possible
 * strength does, the noise is changed as well.
 */
async function filmTrial(drawn: DrawnTrial, truth: Values, device: Device, random: () => number): Promise<FilmedTrial> {
  const kind: Kind = KINDS[drawn.kind];
  const camera = new Camera(kind, truth, device);
  const { frames } = kind.timeline;
  const fit = await WhiteNoiseFit.of(kind, truth, device);
  try {
    if (fit.unitErrors.some((error) => !Number.isFinite(error)))
      throw new Error('The film does not determine the unknowns.');
    const found =
      drawn.fault === 'none'
        ? await rightFilm(camera, frames, fit, drawn.noise)
        : await faultyFilm(camera, frames, fit, { ...drawn, fault: FAULTS[drawn.fault], random });
    const [least, most] = NOISE_LIMITS;
    const wanted = drawn.bias > 0 ? largest(found.bias) / drawn.bias : drawn.noise;
    const isNear = distance(largest(found.bias) / drawn.noise, drawn.bias) < Math.log(MAX_BIAS_RATIO);
    const noise =
      isNear || drawn.bias === 0 || drawn.tolerances !== null ? drawn.noise : Math.min(most, Math.max(least, wanted));
    return {
      film: found.film,
      strength: found.strength,
      noise,
      visible: found.left / noise,
      bias: found.bias.map((b) => b / noise),
      errors: fit.unitErrors.map((error) => error * noise),
    };
  } finally {
    fit.dispose();
  }
}

/** A film without noise, and the plain least-squares estimate from it. */
type FilmWithBias = Pick<FilmedTrial, 'film' | 'strength'> & Biased;

async function rightFilm(camera: Camera, frames: number, fit: WhiteNoiseFit, noise: number): Promise<FilmWithBias> {
  const film = (await camera.film(NO_DEPARTURE, EXACT_CLOCK)).subarray(0, frames * PICTURE);
  return { film, strength: 0, ...(await fit.biasedBy(film, noise)) };
}

/**
 * Films with a model error: of `drawn.tolerances` times its tolerance if that is set, else of a strength whose largest
 * bias is about `drawn.bias` standard errors at `drawn.noise`.
 */
async function faultyFilm(
  camera: Camera,
  frames: number,
  fit: WhiteNoiseFit,
  drawn: Pick<DrawnTrial, 'bias' | 'tolerances' | 'noise' | 'seed'> & {
    readonly fault: ModelFault;
    readonly random: () => number;
  },
): Promise<FilmWithBias> {
  const { fault, noise, seed, random } = drawn;
  const target = drawn.bias * noise;
  const sign = fault.isSigned && random() < 0.5 ? -1 : 1;
  const filmAt = (strength: number): Promise<Film> => fault.film(camera, frames, sign * strength, seed);
  if (drawn.tolerances !== null && fault.tolerance !== undefined) {
    const strength = drawn.tolerances * fault.tolerance;
    const film = await filmAt(strength);
    return { film, strength: sign * strength, ...(await fit.biasedBy(film, noise)) };
  }
  const start = await strengthFor(target, fault.most, TRIED, FIRST_STRENGTH * fault.most, async (strength) =>
    largest(fit.firstOrder(await filmAt(strength))),
  );
  let found: FilmWithBias | undefined;
  await strengthFor(target, fault.most, MEASURED, start, async (strength) => {
    const film = await filmAt(strength);
    const biased = await fit.biasedBy(film, noise);
    const { bias } = biased;
    const isNearer = !found || distance(largest(bias), target) < distance(largest(found.bias), target);
    if (isNearer) found = { film, strength: sign * (fault.comesTo?.(strength, frames) ?? strength), ...biased };
    return largest(bias);
  });
  return found!;
}

const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
/** Distance of two values in natural logarithm. */
const distance = (value: number, target: number): number => Math.abs(Math.log(Math.max(value, MIN_BIAS) / target));

/**
 * Searches a strength whose bias is about the target; each next strength follows from a power law through the last two.
 *
 * @param most largest strength.
 * @param tries maximum number of calls of `biasAt`.
 */
async function strengthFor(
  target: number,
  most: number,
  tries: number,
  start: number,
  biasAt: (strength: number) => Promise<number>,
): Promise<number> {
  let strength = Math.min(start, most);
  let best = { strength, off: Number.POSITIVE_INFINITY };
  let last: { readonly strength: number; readonly bias: number } | undefined;
  for (let k = 0; k < tries; k++) {
    const bias = Math.max(await biasAt(strength), MIN_BIAS);
    const off = distance(bias, target);
    if (off < best.off) best = { strength, off };
    if (off < Math.log(MAX_BIAS_RATIO) || (strength === most && bias < target)) break;
    const slope = last ? Math.log(bias / last.bias) / Math.log(strength / last.strength) : 1;
    const power = slope > 0.5 && slope < 3 ? slope : 1;
    last = { strength, bias };
    strength = Math.min(most, strength * Math.min(30, Math.max(1 / 30, (target / bias) ** (1 / power))));
    if (strength === last.strength) break;
  }
  return best.strength;
}
