import type { FilmRecord } from '@gradsim/films/record';
import { cameraMeasures, defineKind } from '@gradsim/kinds';
import { expect, it } from 'vitest';
import { measuredTexts } from '../src/films/measured.ts';

/** A kind that is not in the repository. */
const drop = defineKind({
  name: 'drop',
  version: 1,
  title: 'A ball drops',
  finds: 'gravity',
  answers: ['gravity'],
  meaning: {},
  measures: {
    radius: { what: 'Radius, m.', type: 'positive', quantity: 'length' },
    last: { what: 'Last frame.', type: 'positive' },
    ...cameraMeasures,
  },
  stages: async () => [],
});

const measured = { radius: 0.2, last: 7, fieldOfView: 40, eye: [0, 0, 3], target: [0, 0, 0] };
const record = { kind: 'drop', measured } as unknown as FilmRecord;

it('measures films of kinds of others, each value off by one of its tolerances', () => {
  const texts = measuredTexts(drop, record, () => 1);
  // 1 % of a length, 2 degrees, and 1 % of the distance of 3 m in each coordinate; a number of a frame as it is.
  expect(Number(texts.radius)).toBeCloseTo(0.202, 12);
  expect(Number(texts.fieldOfView)).toBe(42);
  expect(texts.eye.split(',').map(Number)).toEqual([0.03, 0.03, 3.03]);
  expect(texts.last).toBe('7');
  expect(texts).not.toHaveProperty('lengthTolerance');
});

it('tells that exact values are exact', () => {
  const { radius, lengthTolerance, angleTolerance } = measuredTexts(drop, record, null);
  expect([radius, lengthTolerance, angleTolerance]).toEqual(['0.2', '0', '0']);
});
