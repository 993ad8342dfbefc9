import { randomNumbers } from '@gradsim/optim';
import type { FaultName, ModelFault } from './faults.ts';
import { FAULTS } from './faults.ts';
import type { KindName } from './kinds/index.ts';
import { KINDS } from './kinds/index.ts';

/** A drawn trial: everything that is random about it, before it runs. */
export interface DrawnTrial {
  readonly trial: number;
  readonly kind: KindName;
  readonly fault: FaultName | 'none';
  /** Target of the largest bias over the unknowns, in standard errors of plain least squares. */
  readonly bias: number;
  /**
   * Strength of the error of a measured quantity, in multiples of its tolerance; if not null, it replaces the target
   * bias.
   */
  readonly tolerances: number | null;
  readonly isNoiseGiven: boolean;
  /** Initial standard deviation of the pixel noise, colours from 0 to 1; it may be changed within {@link NOISE_LIMITS}. */
  readonly noise: number;
  /** Seed of the trial's other random numbers. */
  readonly seed: number;
}

/** Intervals of the largest bias, in standard errors. */
export const BIAS_BINS = [
  [0.05, 0.5],
  [0.5, 2],
  [2, 5],
  [5, 50],
] as const;
/** Interval between trials with a correct model, in trials. */
const RIGHT_SHARE = 4;
/**
 * Range of the strength of an error of a measured quantity that is beyond its tolerance, in multiples of the tolerance.
 */
const EXCESS_TARGETS = [3, 6] as const;
/** Range of the standard deviation of pixel noise, colours from 0 to 1. */
const NOISE_RANGE = [0.008, 0.03] as const;
/** Limits of the noise's standard deviation when it has to change for the drawn bias to be reached. */
export const NOISE_LIMITS = [0.003, 0.08] as const;

/** Yields items in random order without end, all of them once before any is repeated. */
function* shuffledForever<T>(items: readonly T[], random: () => number): Generator<T, never> {
  for (;;) {
    const left = [...items];
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0];
  }
}

const logBetween = (random: () => number, [low, high]: readonly [number, number]): number =>
  low * (high / low) ** random();

/**
 * Draws the trials of a seed.
 *
 * @param kinds kinds of film to draw from.
 * @param faults model errors to draw from; `none` stands for a correct model.
 */
export function drawTrials(
  { count, seed }: Readonly<Record<'count' | 'seed', number>>,
  kinds: readonly KindName[],
  faults: readonly (FaultName | 'none')[],
): DrawnTrial[] {
  const random = randomNumbers(seed);
  const wrong = faults
    .filter((fault) => fault !== 'none')
    .flatMap((fault) => kinds.flatMap((kind) => (isSuited(kind, fault) ? [{ kind, fault }] : [])));
  const pairs = shuffledForever(wrong, random);
  const right = shuffledForever(kinds, random);
  const bins = shuffledForever(BIAS_BINS, random);
  const beyond = shuffledForever([true, false], random);
  const given = { right: shuffledForever([true, false], random), wrong: shuffledForever([true, false], random) };
  return Array.from({ length: count }, (_, trial): DrawnTrial => {
    const isRight = wrong.length === 0 || (faults.includes('none') && trial % RIGHT_SHARE === 0);
    const pair = isRight ? { kind: right.next().value, fault: 'none' as const } : pairs.next().value;
    const isMeasured = pair.fault !== 'none' && toleranceOf(pair.fault) !== null;
    return {
      trial,
      ...pair,
      tolerances: isMeasured && beyond.next().value ? logBetween(random, EXCESS_TARGETS) : null,
      bias: isRight ? 0 : logBetween(random, bins.next().value),
      isNoiseGiven: given[isRight ? 'right' : 'wrong'].next().value,
      noise: logBetween(random, NOISE_RANGE),
      seed: Math.floor(random() * 2 ** 31),
    };
  });
}

/** Tolerance of the quantity that a model error affects, in the unit of its strength; null if it is not measured. */
export const toleranceOf = (name: FaultName): number | null => {
  const { tolerance }: ModelFault = FAULTS[name];
  return tolerance ?? null;
};

const isSuited = (kind: KindName, fault: FaultName): boolean => {
  const kinds: readonly KindName[] = FAULTS[fault].kinds;
  return kinds.includes(kind);
};

export const KIND_NAMES = Object.keys(KINDS) as KindName[];
export const FAULT_NAMES = ['none', ...(Object.keys(FAULTS) as FaultName[])] as const;
