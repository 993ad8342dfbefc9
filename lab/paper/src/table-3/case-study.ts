import { secondsSince } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { defineStudy, grid, seeds } from 'gradsim/study';
import { boundsAtTruth, isSure } from '../bounds.ts';
import type { Found } from '../row.ts';
import type { DrawCase } from './case.ts';

/**
 * Defines a study with a row for each kind of case. Instances 1 to `count` of all rows are interleaved, so that an
 * interrupted study has results for each row.
 */
export const caseStudy = (cases: Readonly<Record<string, DrawCase>>) =>
  defineStudy({
    trials: ({ count = '100' }) => grid({ instance: seeds(Number(count)), row: Object.keys(cases) }),
    run: async ({ instance, row }): Promise<Found & Pick<Estimate, 'loss'>> => {
      const device = await selectDevice('cpu', { threads: 1 });
      try {
        const drawn = await cases[row](instance, device);
        const began = process.cpuUsage();
        const found = await drawn.estimate();
        const seconds = secondsSince(began);
        const bounds = await boundsAtTruth(drawn.problem, device);
        const errors = drawn.errors(found);
        const unknowns = Object.keys(errors).map((unknown) => {
          const own = Object.keys(bounds).filter((parameter) => drawn.unknownOf(parameter) === unknown);
          const determined = own.filter((parameter) => bounds[parameter].isDetermined).length / own.length;
          const named = !found.verdict.trusted || own.some((parameter) => !isSure(found.parameters[parameter]));
          return { unknown, determined, named };
        });
        return {
          row,
          errors,
          determined: Object.fromEntries(unknowns.map(({ unknown, determined }) => [unknown, determined])),
          named: Object.fromEntries(unknowns.map(({ unknown, named }) => [unknown, named])),
          trusted: found.verdict.trusted,
          findings: found.verdict.findings.map(({ note }) => note),
          loss: found.loss,
          seconds,
          parameters: found.parameters,
        };
      } finally {
        device.dispose();
      }
    },
  });
