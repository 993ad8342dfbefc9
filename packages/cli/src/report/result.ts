import type { Experiment } from '@gradsim/optim';
import type { FinishedStage } from '../experiment/run.ts';

/** The file `result.json`: what `--json` prints for each stage, with correlations, all values of arrays, and every iteration. */
export function resultJson(experiment: Experiment, stages: readonly FinishedStage[]): string {
  const result = {
    experiment: experiment.name,
    description: experiment.description,
    stages: stages.map(({ record, estimate: { arrays, correlation, history } }) => ({
      ...record,
      arrays: Object.fromEntries(
        Object.entries(arrays).map(([name, { estimate, standardErrors }]) => [
          name,
          {
            ...record.arrays[name],
            estimate: Array.from(estimate),
            standardErrors: standardErrors && Array.from(standardErrors),
          },
        ]),
      ),
      correlation,
      history,
    })),
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}
