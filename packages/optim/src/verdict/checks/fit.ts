import { upperMedian } from '@gradsim/base';
import type { Check, Maybe, WithPresent } from '../../posterior/check.ts';
import type { ObservationFit } from '../../posterior/fit.ts';
import type { Subject } from '../subject.ts';

/** Overlap of moving values in target and model, 0 to 1, below which the model shows something else than the film. */
const NO_OVERLAP = 0.1;
/**
 * Share of the target's changes that the model explains, 0 to 1, below which the model shows something else than the
 * film.
 */
const LITTLE_EXPLAINED = 0.5;
/** Share of the target's changes that the model explains, 0 to 1, below which the model counts as incomplete. */
const NOT_ALL_EXPLAINED = 0.8;
/** Share of the target's changes, 0 to 1, at values that never change in the model, above which this is reported. */
const MUCH_ELSEWHERE = 0.25;
/** Ratio of a frame's mean squared residual to the median over frames above which the frame is an outlier. */
const MIN_OUTLIER_RATIO = 9;
/** Ratio of the model's changes over time to the target's above which the target counts as standing still. */
const MUCH_MORE_MOTION = 5;
/** Ratio of residuals to the target's noise above which they count as not explained by noise. */
const BEYOND_NOISE = 5;
/**
 * Upper bound of the unexplained share of changes, 0 to 1, for a correct model and completely observed, sharp states.
 */
const MISSED_BY_STATES = 1e-4;
/** Upper bound of the unexplained share of changes, 0 to 1, for a correct model and observed pictures. */
const MISSED_BY_PICTURES = 0.25;

/** Root mean square of an observation's residuals. */
const residualOf = ({ residuals }: ObservationFit): number =>
  Math.hypot(...residuals) / Math.sqrt(Math.max(1, residuals.length));

/** Share of the target's changes that the model does not explain; of a target without changes, all. */
const missedOf = ({ explained }: ObservationFit): number => 1 - (explained ?? 0);

/** Residuals, in stated noises, up to which they count as noise: those of a right model come to 1, give or take chance. */
const WITHIN_NOISE = 1.1;

/** True if residuals are within the stated noise: if a target hardly changes, that is all there is to explain. */
const isNoise = (fit: ObservationFit): boolean =>
  fit.expected !== undefined && residualOf(fit) <= WITHIN_NOISE * fit.expected;

/** Remarks of a check on each observation. */
const inEach =
  (find: (observation: ObservationFit) => Maybe) =>
  ({ fit }: WithPresent<Subject, 'fit'>): Maybe[] =>
    fit.observations.map(find);

/** Finds observations of motion that the model does not overlap at the estimate. */
export const noOverlap: Check<Subject, 'fit'> = {
  kind: 'no overlap',
  rank: 20,
  isCritical: true,
  needs: ['fit'],
  find: inEach(
    ({ field, overlap }) =>
      overlap &&
      overlap.end < NO_OVERLAP && {
        note: `The model does not overlap with what moves in ${field}: ${percent(overlap.end)} of it is covered at the estimate${overlap.start === null ? '' : `, ${percent(overlap.start)} at the start`}. Start nearer to the truth.`,
      },
  ),
};

/** Finds observations of motion that the model did not overlap at the start, but does at the estimate. */
export const startWithoutOverlap: Check<Subject, 'fit'> = {
  kind: 'start without overlap',
  rank: 250,
  isCritical: false,
  needs: ['fit'],
  find: inEach(
    ({ field, overlap }) =>
      overlap?.start != null &&
      !(overlap.end < NO_OVERLAP) &&
      overlap.start < NO_OVERLAP && {
        note: `At the start the model overlapped with ${percent(overlap.start)} of what moves in ${field}; at the estimate with ${percent(overlap.end)}.`,
      },
  ),
};

/** Finds targets that stand still while the model moves: the residual is then the model's own motion. */
export const stillTarget: Check<Subject, 'fit'> = {
  kind: 'still target',
  rank: 25,
  isCritical: true,
  needs: ['fit'],
  find: inEach((one) => {
    const { field, motion } = one;
    if (isNoise(one) || one.isExact) return null;
    const [seen, shown] = [motion.target, motion.model].map((size) => Number(size.toPrecision(2)));
    return (
      motion.model > MUCH_MORE_MOTION * motion.target &&
      missedOf(one) > MISSED_BY_STATES && {
        note: `The target of ${field} ${seen === 0 ? 'does not change' : `hardly changes over time, by ${seen} in root mean square`}, and the model's changes by ${shown}: did the tracker or the camera stop?`,
      }
    );
  }),
};

/** Finds observations whose changes the model does not all explain. */
export const unexplained: Check<Subject, 'fit'> = {
  kind: 'unexplained',
  rank: 30,
  isCritical: true,
  needs: ['fit'],
  find: inEach(
    (one) =>
      !isNoise(one) &&
      one.explained !== null &&
      one.explained < NOT_ALL_EXPLAINED && {
        isCritical: one.explained < LITTLE_EXPLAINED,
        note:
          one.explained < 0
            ? `The model is farther from ${one.field} than values that do not change at all: its squared residuals are ${Number((1 - one.explained).toPrecision(2))} times the squared changes.`
            : `The model explains ${percent(one.explained)} of what changes in ${one.field}.`,
      },
  ),
};

/** Finds observations of changes where the model never is. */
export const changesElsewhere: Check<Subject, 'fit'> = {
  kind: 'elsewhere',
  rank: 40,
  isCritical: true,
  needs: ['fit'],
  find: inEach(
    (one) =>
      !isNoise(one) &&
      one.elsewhere !== null &&
      one.elsewhere > MUCH_ELSEWHERE && {
        note: `${percent(one.elsewhere)} of what changes in ${one.field} lies where the model never is: something else moves, or the model is in the wrong place.`,
      },
  ),
};

/** Finds residuals that exceed the noise measured from the target. */
export const beyondNoise: Check<Subject, 'fit'> = {
  kind: 'beyond noise',
  rank: 70,
  isCritical: true,
  needs: ['fit'],
  find: inEach((one) => {
    const { field, isExact, expected, overlap, noise } = one;
    if (expected !== undefined || noise === null || isExact) return null;
    const residual = residualOf(one);
    const missed = missedOf(one);
    const times = noise > 0 ? `${Math.round(residual / noise)} times its noise` : 'not zero, and it has no noise';
    return (
      residual > BEYOND_NOISE * noise &&
      missed > MISSED_BY_STATES && {
        isCritical: missed > (overlap ? MISSED_BY_PICTURES : MISSED_BY_STATES),
        note: `The residual of ${field} is ${times}: the model lacks something, or this is a false minimum.`,
      }
    );
  }),
};

/** Finds frames whose residuals are outliers. */
export const someFrames: Check<Subject, 'fit'> = {
  kind: 'some frames',
  rank: 50,
  isCritical: true,
  needs: ['fit'],
  find: inEach((one) => {
    const { field, frames, residuals, explained, noise } = one;
    if (isNoise(one) || frames.length < 6) return null;
    const squares = residuals.map((r) => r * r);
    const typical = Math.max(upperMedian(squares), (noise ?? 0) ** 2);
    const heavy = frames.filter((_, f) => squares[f] > MIN_OUTLIER_RATIO * typical);
    const own = squares.reduce((sum, s) => (s > MIN_OUTLIER_RATIO * typical ? sum + s : sum), 0);
    const all = squares.reduce((sum, s) => sum + s, 0);
    const named = heavy.length > 6 ? `${heavy.slice(0, 6).join(', ')} and others` : heavy.join(', ');
    return (
      heavy.length > 0 &&
      heavy.length <= frames.length / 3 &&
      !(own < all / 2) && {
        isCritical: (explained ?? 1) < 0.95,
        note: `${percent(own / all)} of the residual of ${field} is in ${heavy.length} of ${frames.length} frames: ${named}.`,
      }
    );
  }),
};

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;
