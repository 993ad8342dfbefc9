import type { Estimate, Iteration, ParameterEstimate, Stage } from '@gradsim/optim';
import { type Html, html, nothing } from './html.ts';
import { lineChart } from './line-chart.ts';

/** Number of parameters above which curves are drawn only for the first and the least determined ones. */
const MAX_CURVES = 12;

const SIZE = { width: 420, height: 230 };

/**
 * HTML section of loss and parameters over the iterations of a search, and of the distance from a goal.
 * @param curves of other methods: distances from the goal.
 */
export function iterationSection(
  { parameters, history, goal }: Pick<Estimate, 'parameters' | 'history' | 'goal'>,
  curves?: Stage['curves'],
): Html {
  if (history.length === 0) return nothing;
  const points = (value: (line: Iteration) => number): { x: number; y: number }[] =>
    history.map((line) => ({ x: line.iteration, y: value(line) }));
  const loss = lineChart({
    title: 'loss',
    points: points((line) => line.loss),
    isLog: history.every((line) => line.loss >= 0),
    ...SIZE,
  });
  const traces = charted(parameters).map(([name, { unit, truth, standardError }]) =>
    lineChart({
      title: name,
      unit,
      points: points((line) => line.parameters[name]),
      reference: truth === undefined ? undefined : { value: truth, label: 'truth' },
      standardError: Number.isFinite(standardError) ? standardError : null,
      ...SIZE,
    }),
  );
  const toGoal = history.filter(({ distance }) => distance !== undefined);
  const distances = lineChart({
    title: 'distance from the goal, of the best so far',
    unit: goal?.unit,
    points: toGoal.map(({ iteration, distance }) => ({ x: iteration, y: distance! })),
    others: curves?.map(({ name, distances: of }) => ({ name, points: of.map((y, x) => ({ x, y })) })),
    isLog: true,
    ...SIZE,
  });
  return html`<section><h3>Over the iterations</h3>
<div class="charts">${loss}${toGoal.length > 1 ? distances : nothing}${traces}</div></section>`;
}

/** Parameters whose curves are drawn: the first and those with the largest relative standard errors, or all if few. */
function charted(parameters: Estimate['parameters']): [string, ParameterEstimate][] {
  const all = Object.entries(parameters);
  if (all.length <= MAX_CURVES) return all;
  const spread = ({ standardError, estimate }: ParameterEstimate): number =>
    standardError !== null && Number.isFinite(standardError) ? standardError / Math.abs(estimate) : Number.MAX_VALUE;
  const [first, ...others] = all;
  return [first, ...others.sort(([, a], [, b]) => spread(b) - spread(a)).slice(0, MAX_CURVES - 2)];
}
