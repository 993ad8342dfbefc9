// What reports say of the outlines of a film is said in words of the film, and answers stand first.
import type { ParameterEstimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { headline, limitLines } from '../../src/components/index.ts';
import { trust } from '../../src/experiment/record/remarks.ts';

const noted = (note: string) =>
  ({ verdict: { trusted: false, unseen: [], findings: [{ kind: 'beyond noise', isCritical: true, note }] } }) as never;

it('fields of outlines are the film, and those of other models keep their names', () => {
  const note = (field: string): string =>
    `The residual of ${field} is 12 times its noise: the model lacks something, or this is a false minimum.`;
  expect(trust(noted(note('world.outlineCentroidAndSize')))).toEqual([
    'Not to be trusted: The drawn motion misses the film by more than it should, 12 times its noise: the model lacks something, or this is a false minimum.',
  ]);
  expect(trust(noted('80 % of the residual of outlineRays.reach is in 2 of 40 frames: 3, 9.'))).toEqual([
    'Not to be trusted: 80 % of what the drawn motion misses the film by is in 2 of 40 frames: 3, 9.',
  ]);
  expect(trust(noted(note('motes.seen')))[0]).toContain('The residual of motes.seen is 12 times');
});

const found = (estimate: number, standardError: number | null): ParameterEstimate =>
  ({ estimate, standardError, initial: 1, unit: 'm/s^2', interval: null, ofGiven: { length: 0.09 } }) as never;

it('each answer that was estimated has its number, and one that the film does not tell says so', () => {
  const parameters = { angle: found(1, 1), gravity: found(9.8123, 0.1), drag: found(0.2, Number.POSITIVE_INFINITY) };
  const answers = { gravity: 'free fall <here>', period: '', drag: '', damping: 'none' };
  const derived = { period: { ...found(1.21, 0.02), unit: 's' } };
  const { markup } = headline({ parameters, derived, answers, verdict: { trusted: false }, lines: ['No.', 'Why.'] });
  expect(markup.match(/<p class="name">[^<]*/g)).toEqual(
    ['gravity', 'period', 'drag'].map((name) => `<p class="name">${name}`),
  );
  expect(markup).toContain('free fall &lt;here&gt;');
  expect(markup).toContain('>9.81<span class="error"> ± 0.1</span><span class="unit"> m/s²</span>');
  expect(markup).toContain('This film cannot show it.');
  const record = {
    ...{
      parameters,
      given: { length: { value: 0.5, tolerance: 0.005, unit: 'm' } },
      verdict: { findings: [], unseen: [] },
    },
    undetermined: [],
    leastDetermined: null,
    derived: {},
    unmoved: [],
    notes: ['A note.'],
    arrays: {},
  } as never;
  expect(limitLines(record, answers)).toEqual([
    '81 % of the bar of gravity (of its square) comes from length, given as 0.5 with a tolerance of 0.005 m: to know gravity better, measure that better.',
    'A note.',
  ]);
});
