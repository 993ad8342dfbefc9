import type { Experiment } from '@gradsim/optim';
import type { FinishedStage } from '../experiment/run.ts';

/** The file `result.json`: what `--json` prints for each stage, with correlations and every iteration. */
export function resultJson(experiment: Experiment, stages: readonly FinishedStage[]): string {
  const result = {
    experiment: experiment.name,
    description: experiment.description,
    stages: stages.map(({ record, estimate: { correlation, history } }) => ({
      ...record,
      correlation,
      history,
    })),
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}
