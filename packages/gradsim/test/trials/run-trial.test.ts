import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EstimatedStage, Study, TrialContext } from 'gradsim/study';
import { expect, it } from 'vitest';
import { filmStudy } from '../../src/study/load/film-study.ts';
import type { LoadedStudy } from '../../src/study/load/source.ts';
import { runTrial } from '../../src/trials/run-trial.ts';
import { FALLING_MOTE, temporaryFolder } from '../support.ts';

/** Study in the form that it has after loading. */
const loaded = (study: Study<object, unknown>): LoadedStudy => ({
  study,
  folder: dirname(FALLING_MOTE),
  code: '',
  sources: { sha256: '', modules: [], versions: {} },
});
const run = (study: Study<object, unknown>, out: string, parent = process.ppid) =>
  runTrial(loaded(study), { id: 'a', settings: {}, attempt: 1, device: 'cpu' }, { out, parent });

it('a trial estimates an experiment of the study, with its report in the folder of the trial', async () => {
  const out = temporaryFolder();
  const study: Study<object, EstimatedStage> = {
    trials: [],
    experiments: [basename(FALLING_MOTE)],
    run: async (_, { estimate }) => (await estimate(basename(FALLING_MOTE), { iterations: 40 }))[0],
    summary: filmStudy(FALLING_MOTE).summary,
  };
  const { result, summary } = await run(study, out);
  expect(result).toMatchObject({ stage: 'fall', parameters: { gravity: { truth: -9.81, unit: 'm/s2' } } });
  expect(summary.gravity).toBeCloseTo(-9.81, 1);
  expect(typeof summary.trusted).toBe('boolean');
  expect(readdirSync(join(out, 'trials'))).toEqual(['a']);
  expect(existsSync(join(out, 'trials/a/estimate/report.html'))).toBe(true);
});

it('a trial refuses to estimate an experiment that the study does not name', async () => {
  const study: Study<object, unknown> = { trials: [], run: (_, { estimate }) => estimate('ball.ts') };
  const out = temporaryFolder();
  await expect(run(study, out)).rejects.toThrowCode({
    code: 'gradsim/study-wrong',
    values: ['`experiments`', 'ball.ts'],
  });
  expect(readdirSync(join(out, 'trials'))).toEqual([]);
});

it('files of a finished trial replace earlier ones, and those of one that throws are discarded', async () => {
  const out = temporaryFolder();
  const study = (act: (context: TrialContext) => unknown): Study<object, unknown> => ({
    trials: [],
    run: (_, context) => {
      writeFileSync(join(context.folder(), 'notes.txt'), 'seen');
      return act(context);
    },
  });
  await run(
    study(() => 1),
    out,
  );
  await run(
    study(() => 2),
    out,
  );
  expect(readdirSync(join(out, 'trials', 'a'))).toEqual(['notes.txt']);
  await expect(
    run(
      study(() => Promise.reject(new Error('Lost.'))),
      out,
    ),
  ).rejects.toThrow('Lost.');
  expect(readdirSync(join(out, 'trials'))).toEqual(['a']);
});

it.each([
  [undefined, 'gradsim/study-wrong'],
  [3n, { code: 'gradsim/study-wrong', values: ['JSON'] }],
])('a trial refuses a result that is not JSON: %s', async (result, expected) => {
  await expect(run({ trials: [], run: () => result }, temporaryFolder())).rejects.toThrowCode(expected);
});

it('a trial summarises a result by its numbers, texts and booleans, with null for numbers that are not finite', async () => {
  const result = { a: 1, b: 'x', c: true, d: Number.NaN, e: [1], f: { g: 1 } };
  const study: Study<object, unknown> = { trials: [], run: () => result };
  expect((await run(study, temporaryFolder())).summary).toEqual({ a: 1, b: 'x', c: true, d: null });
});
