import { selectDevice } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { defineStudy, grid, seeds } from '@gradsim/study';
import { boundsAtTruth, isSure } from '../bounds.ts';
import type { Found } from '../row.ts';
import type { DrawCase } from './case.ts';
import { softCase } from './soft.ts';
import { swingCase } from './swing.ts';
import { tinyMass } from './tiny-mass.ts';

/** Rows of the table. */
const CASES: Readonly<Record<string, DrawCase>> = {
  beam: softCase('beam'),
  ball: softCase('ball'),
  'soft block': softCase('mass'),
  cloth: softCase('cloth'),
  pendulum: swingCase(1),
  'double pendulum': swingCase(2),
  'tiny mass': tinyMass,
};

/** Instances 1 to `count` of every row, in turns, so that a table that was ended says something of each. */
export default defineStudy({
  trials: ({ count = '100' }) => grid({ instance: seeds(Number(count)), row: Object.keys(CASES) }),
  run: async ({ instance, row }): Promise<Found & Pick<Estimate, 'loss' | 'parameters'>> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const drawn = await CASES[row](instance, device);
      const began = process.cpuUsage();
      const found = await drawn.estimate();
      const { user, system } = process.cpuUsage(began);
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
        seconds: (user + system) / 1e6,
        parameters: found.parameters,
      };
    } finally {
      device.dispose();
    }
  },
});
