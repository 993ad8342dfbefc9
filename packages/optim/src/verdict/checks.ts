import type { AnyCheck } from '../posterior/check.ts';
import { againstFrameRate } from './checks/clock.ts';
import { departure } from './checks/departures.ts';
import { explodingGradients, falseDerivatives, falseLater } from './checks/derivatives.ts';
import { undetermined } from './checks/determination.ts';
import {
  beyondNoise,
  changesElsewhere,
  noOverlap,
  someFrames,
  startWithoutOverlap,
  stillTarget,
  unexplained,
} from './checks/fit.ts';
import { otherIntervals, replacedIntervals } from './checks/intervals.ts';
import * as minima from './checks/minima.ts';
import { precision } from './checks/precision.ts';
import { againstGiven, againstPriors, mostlyPriors, tolerance } from './checks/priors.ts';
import { atRangeEnd, mostOfRange, openToRange } from './checks/range.ts';
import { mesh, substep } from './checks/refinement.ts';
import { interrupted, noMinimum, unfinished } from './checks/search-end.ts';
import { correlationNotMeasured, noStandardErrors } from './checks/standard-errors.ts';
import { beyondStatedNoise } from './checks/stated-noise.ts';
import { unusual } from './checks/usual.ts';
import type { Subject } from './subject.ts';

/** Checks of every estimate, by rank: the order of their findings in a verdict, critical ones apart. */
export const CHECKS: readonly AnyCheck<Subject>[] = [
  interrupted,
  noOverlap,
  stillTarget,
  unexplained,
  changesElsewhere,
  someFrames,
  departure,
  beyondNoise,
  beyondStatedNoise,
  falseDerivatives,
  falseLater,
  precision,
  noStandardErrors,
  unusual,
  unfinished,
  noMinimum,
  atRangeEnd,
  openToRange,
  mostOfRange,
  againstGiven,
  againstFrameRate,
  againstPriors,
  minima.rivalValue,
  minima.betterThanChecked,
  minima.asGood,
  minima.aboveEarlier,
  minima.hopsGain,
  minima.reachedAlone,
  minima.betterThanProfile,
  substep,
  mesh,
  explodingGradients,
  undetermined,
  replacedIntervals,
  otherIntervals,
  mostlyPriors,
  tolerance,
  startWithoutOverlap,
  correlationNotMeasured,
];
