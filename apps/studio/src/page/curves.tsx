import type { JSX } from 'preact';
import { lineChart } from '../../../../packages/gradsim/src/report/line-chart.ts';
import type { Motion } from '../answer/motion.ts';

/** Size of a chart, in units of its drawing. */
const SIZE = { width: 420, height: 190 };

type Column = readonly (number | null)[];

/** Charts of the motion over time, as in the command's report: the film as circles, the fitted model as a line. */
export function Curves({ motion }: { readonly motion: Motion }): JSX.Element {
  const { seconds, x, y, speed, energy, seenX, seenY, seenSpeed, seenEnergy } = motion;
  const over = (values: Column) => seconds.map((time, k) => ({ x: time, y: values[k] ?? Number.NaN }));
  const chart = (title: string, fitted: Column, seen: Column, from?: number): string =>
    lineChart({
      title,
      over: 'seconds',
      points: over(fitted),
      measured: over(seen),
      ...(from === undefined ? {} : { from }),
      ...SIZE,
    }).markup;
  const charts = [
    chart('To the right, m', x, seenX),
    chart('Upwards, m', y, seenY),
    chart('Speed, m/s', speed, seenSpeed),
    chart('Energy of motion and height, J per kg', energy, seenEnergy, 0),
  ];
  // Markup that holds numbers and these titles alone.
  return <div class="curves" dangerouslySetInnerHTML={{ __html: charts.join('') }} />;
}
