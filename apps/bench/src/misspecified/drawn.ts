import { randomNumbers } from '@gradsim/optim';
import type { Fault, FaultName } from './faults.ts';
import { FAULTS } from './faults.ts';
import type { KindName } from './kinds/index.ts';
import { KINDS } from './kinds/index.ts';

/** A trial, before anything runs. */
export interface Drawn {
  readonly trial: number;
  readonly kind: KindName;
  readonly fault: FaultName | 'none';
  /** Largest bias that is aimed at, in plain standard errors. */
  readonly bias: number;
  /** In place of that, the strength in tolerances, of faults of measured quantities that are to be beyond them. */
  readonly tolerances: number | null;
  readonly isNoiseGiven: boolean;
  /** Standard deviation of a colour, to begin with: see {@link NOISES}. */
  readonly noise: number;
  /** Seed of all else that is drawn. */
  readonly seed: number;
}

/** Ends of the bins of bias; above the last one, it is drawn up to its end. */
export const BINS = [
  [0.05, 0.5],
  [0.5, 2],
  [2, 5],
  [5, 50],
] as const;
/** Interval between trials with a correct model: one in four. */
const RIGHT = 4;
/** Tolerances that a fault beyond them is strong. */
const BEYOND = [3, 6] as const;
/** Noise is drawn from these, and may be less or more where only that gives the bias that was drawn. */
const NOISE = [0.008, 0.03] as const;
export const NOISES = [0.003, 0.08] as const;

/** Items in drawn order, all of them before one comes again. */
function* dealt<T>(items: readonly T[], random: () => number): Generator<T, never> {
  for (;;) {
    const left = [...items];
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0];
  }
}

const logBetween = (random: () => number, [low, high]: readonly [number, number]): number =>
  low * (high / low) ** random();

/** Trials of a seed. @param kinds, @param faults those that are chosen; `none` among the faults for right models. */
export function drawTrials(
  { count, seed }: Readonly<Record<'count' | 'seed', number>>,
  kinds: readonly KindName[],
  faults: readonly (FaultName | 'none')[],
): Drawn[] {
  const random = randomNumbers(seed);
  const wrong = faults
    .filter((fault) => fault !== 'none')
    .flatMap((fault) => kinds.flatMap((kind) => (isSuited(kind, fault) ? [{ kind, fault }] : [])));
  const pairs = dealt(wrong, random);
  const right = dealt(kinds, random);
  const bins = dealt(BINS, random);
  const beyond = dealt([true, false], random);
  const given = { right: dealt([true, false], random), wrong: dealt([true, false], random) };
  return Array.from({ length: count }, (_, trial): Drawn => {
    const isRight = wrong.length === 0 || (faults.includes('none') && trial % RIGHT === 0);
    const pair = isRight ? { kind: right.next().value, fault: 'none' as const } : pairs.next().value;
    const isMeasured = pair.fault !== 'none' && toleranceOf(pair.fault) !== null;
    return {
      trial,
      ...pair,
      tolerances: isMeasured && beyond.next().value ? logBetween(random, BEYOND) : null,
      bias: isRight ? 0 : logBetween(random, bins.next().value),
      isNoiseGiven: given[isRight ? 'right' : 'wrong'].next().value,
      noise: logBetween(random, NOISE),
      seed: Math.floor(random() * 2 ** 31),
    };
  });
}

/** Tolerance of a fault's quantity, in the unit of its strength. */
export const toleranceOf = (name: FaultName): number | null => {
  const { tolerance }: Fault = FAULTS[name];
  return tolerance ?? null;
};

const isSuited = (kind: KindName, fault: FaultName): boolean => {
  const kinds: readonly KindName[] = FAULTS[fault].kinds;
  return kinds.includes(kind);
};

export const KIND_NAMES = Object.keys(KINDS) as KindName[];
export const FAULT_NAMES = ['none', ...(Object.keys(FAULTS) as FaultName[])] as const;
