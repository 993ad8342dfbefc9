import type { Check } from '../../posterior/check.ts';
import { listed, twoDigits } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Share of an unknown's range that its interval covers, 0 to 1, above which observations hardly determine it. */
const MOST_OF_RANGE = 0.5;

/** Finds unknowns at an end of their range. */
export const atRangeEnd: Check<Subject> = {
  kind: 'range',
  rank: 130,
  isCritical: true,
  find: ({ unknowns, coordinates }) => {
    const activeBounds = unknowns.activeBounds(coordinates);
    const names = unknowns.names.filter((_, i) => activeBounds[i] !== 0);
    const note = `${listed(names)} ${names.length > 1 ? 'are at the ends of their ranges' : 'is at an end of its range'}: the range determines ${names.length > 1 ? 'them' : 'it'}, not the observations.`;
    return names.length > 0 && { unknowns: names, note };
  },
};

/** Finds an unknown found by values alone whose interval ends at only one side. */
export const openToRange: Check<Subject, 'profileByValues'> = {
  kind: 'range',
  rank: 130,
  isCritical: true,
  needs: ['profileByValues'],
  find: ({ unknowns, profileByValues: { isOpen } }) => {
    const name = unknowns.names[unknowns.byValues!];
    const note = `The ${isOpen[0] ? 'low' : 'high'} end of the range limits ${name}, not the observations: all values from the estimate to that end fit as well.`;
    return isOpen[0] !== isOpen[1] && { unknowns: [name], note };
  },
};

/** Finds unknowns whose interval covers most of the range that they may have. */
export const mostOfRange: Check<Subject, 'uncertainty'> = {
  kind: 'range',
  rank: 130,
  isCritical: false,
  needs: ['uncertainty'],
  find: ({ unknowns, uncertainty }) =>
    unknowns.blocks.map(({ name, first, isArray, isGiven, range }) => {
      if (isArray || isGiven || !range || uncertainty.determinedBy[first] !== 'observations') return null;
      const [low, high] = uncertainty.intervals[first];
      const note =
        high - low === range[1] - range[0]
          ? `The observations do not determine ${name}: its 95 % interval is all that it may be, ${range[0]} to ${range[1]}.`
          : `The observations hardly determine ${name}: its 95 % interval is ${twoDigits(low)} to ${twoDigits(high)}, and it may only be ${range[0]} to ${range[1]}.`;
      return high - low > MOST_OF_RANGE * (range[1] - range[0]) && { unknowns: [name], note };
    }),
};
