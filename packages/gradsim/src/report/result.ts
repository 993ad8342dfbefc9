import type { Experiment } from '@gradsim/optim';
import type { FinishedStage } from '../experiment/run.ts';
import { type Comparison, compare } from './comparison.ts';

/** A stage's comparison, and the file name of its sheet, stored beside `result.json`. */
export interface FiledComparison {
  readonly file: string;
  readonly comparison: Comparison;
}

/** Compares the pictures of all stages that have some; results by stage name. */
export async function comparisons(stages: readonly FinishedStage[]): Promise<ReadonlyMap<string, FiledComparison>> {
  const found = new Map<string, FiledComparison>();
  for (const [k, { record, strip, clock }] of stages.entries())
    if (strip && strip.frames.length > 0)
      found.set(record.stage, {
        file: `frames-${k + 1}.png`,
        comparison: await compare(strip, clock),
      });
  return found;
}

/**
 * Content of `result.json`: the `--json` record of each stage, with correlations, all values of arrays, and the history
 * of all iterations.
 */
export function resultJson(
  experiment: Experiment,
  stages: readonly FinishedStage[],
  compared: ReadonlyMap<string, FiledComparison>,
): string {
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
      ...filed(compared.get(record.stage)),
    })),
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** Description of a stage's sheet in `result.json`, for `gradsim render --compare`. */
export interface ComparedFrames extends Omit<Comparison, 'sheet' | 'row' | 'mean'> {
  readonly file: string;
}

function filed(compared: FiledComparison | undefined): { pictures?: ComparedFrames } {
  if (!compared) return {};
  const { sheet: _, row: __, mean: ___, ...pictures } = compared.comparison;
  return { pictures: { file: compared.file, ...pictures } };
}
