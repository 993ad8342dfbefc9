import { upperMedian } from '@gradsim/numeric';
import type { ObservationFit } from '../noise/fit.ts';
import type { Finding } from '../problem/finding.ts';

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
const HEAVY = 9;
/** Ratio of residuals to the target's noise above which they count as not explained by noise. */
const BEYOND_NOISE = 5;
/**
 * Upper bound of the unexplained share of changes, 0 to 1, for a correct model and completely observed, sharp states.
 */
const MISSED_BY_STATES = 1e-4;
/** Upper bound of the unexplained share of changes, 0 to 1, for a correct model and observed pictures. */
const MISSED_BY_PICTURES = 0.25;

/** Makes findings about an observation that the model does not explain well. */
export function fitFindings(fit: ObservationFit): Finding[] {
  const { field, explained, overlap, elsewhere, noise } = fit;
  const found: Finding[] = [];
  if (overlap && overlap.end < NO_OVERLAP)
    found.push({
      kind: 'no overlap',
      isCritical: true,
      note: `The model does not overlap with what moves in ${field}: ${percent(overlap.end)} of it is covered at the estimate${overlap.start === null ? '' : `, ${percent(overlap.start)} at the start`}. Start nearer to the truth.`,
    });
  else if (overlap && overlap.start !== null && overlap.start < NO_OVERLAP)
    found.push({
      kind: 'start without overlap',
      isCritical: false,
      note: `At the start the model overlapped with ${percent(overlap.start)} of what moves in ${field}; at the estimate with ${percent(overlap.end)}.`,
    });
  const residual = Math.hypot(...fit.residuals) / Math.sqrt(Math.max(1, fit.residuals.length));
  // If a target hardly changes, only its stated noise is left to explain.
  const isNoise = fit.expected !== undefined && residual <= fit.expected;
  if (!isNoise && explained !== null && explained < NOT_ALL_EXPLAINED)
    found.push({
      kind: 'unexplained',
      isCritical: explained < LITTLE_EXPLAINED,
      note: `The model explains ${percent(explained)} of what changes in ${field}.`,
    });
  if (elsewhere !== null && elsewhere > MUCH_ELSEWHERE)
    found.push({
      kind: 'elsewhere',
      isCritical: true,
      note: `${percent(elsewhere)} of what changes in ${field} lies where the model never is: something else moves, or the model is in the wrong place.`,
    });
  if (!isNoise) found.push(...framesOf(fit));
  const missed = 1 - (explained ?? 1);
  if (fit.expected === undefined && noise !== null && residual > BEYOND_NOISE * noise && missed > MISSED_BY_STATES) {
    const times = noise > 0 ? `${Math.round(residual / noise)} times its noise` : 'not zero, and it has no noise';
    found.push({
      kind: 'beyond noise',
      isCritical: missed > (overlap ? MISSED_BY_PICTURES : MISSED_BY_STATES),
      note: `The residual of ${field} is ${times}: the model lacks something, or this is a false minimum.`,
    });
  }
  return found;
}

/** Makes a finding about frames whose residuals are outliers, if there are any. */
function framesOf({ field, frames, residuals, explained, noise }: ObservationFit): Finding[] {
  if (frames.length < 6) return [];
  const squares = residuals.map((r) => r * r);
  const typical = Math.max(upperMedian(squares), (noise ?? 0) ** 2);
  const heavy = frames.filter((_, f) => squares[f] > HEAVY * typical);
  const [own, all] = [
    squares.reduce((sum, s) => (s > HEAVY * typical ? sum + s : sum), 0),
    squares.reduce((sum, s) => sum + s, 0),
  ];
  if (heavy.length === 0 || heavy.length > frames.length / 3 || own < all / 2) return [];
  const named = heavy.length > 6 ? `${heavy.slice(0, 6).join(', ')} and others` : heavy.join(', ');
  const isCritical = (explained ?? 1) < 0.95;
  return [
    {
      kind: 'some frames',
      isCritical,
      note: `${percent(own / all)} of the residual of ${field} is in ${heavy.length} of ${frames.length} frames: ${named}.`,
    },
  ];
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;
