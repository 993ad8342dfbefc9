import type { FrameClock } from '@gradsim/core';
import type { ObservationFit } from '@gradsim/optim';
import { type Html, html, lineChart, nothing } from '../components/index.ts';
import type { FinishedStage } from '../experiment/run.ts';
import { formatNumber } from '../terminal/numbers.ts';
import { type Comparison, compare } from './comparison.ts';
import { pngUrl } from './player.ts';

/** HTML section on how much of the film the model explains, with the frames and places of large residuals. */
export async function residualSection({ record: { fit }, strip, clock, instants }: FinishedStage): Promise<Html> {
  if (!fit) return nothing;
  const hasPictures = strip !== undefined && strip.frames.length > 0;
  const { values, independent } = fit;
  const of =
    independent === null
      ? `${values.toLocaleString('en')} values, whose correlation could not be measured`
      : `${values.toLocaleString('en')} values carry the information of ${Number(independent.toPrecision(3)).toLocaleString('en')} independent ones`;
  return html`<section><h3>Where and when model and observations differ</h3>
<p>${of}.</p>
${fit.observations.map(explained)}
<div class="charts">${fit.observations.map((observation, k) => overTime(observation, clock, instants[k]))}${hasPictures ? where(await compare(strip, clock)) : nothing}</div></section>`;
}

function explained({ field, explained, overlap, noise }: ObservationFit): Html {
  if (explained === null) return nothing;
  const parts = [
    `the model explains ${formatNumber(100 * explained, 4)} % of the changes in ${field}`,
    ...(overlap ? [`overlaps ${formatNumber(100 * overlap.end, 3)} % of what moves`] : []),
    ...(noise === null ? [] : [`noise of ${field}: ${formatNumber(noise, 3)}`]),
  ];
  const [first, ...others] = parts.join(', ');
  return html`<p>${first.toUpperCase()}${others.join('')}.</p>`;
}

function overTime({ field, frames, residuals }: ObservationFit, { frameTimes }: FrameClock, instants: number): Html {
  if (frames.length < 2) return nothing;
  return lineChart({
    title: `residual of ${field} by ${frameTimes ? 'time' : 'frame'}`,
    points: frames.map((frame, k) => ({ x: frameTimes?.[frame * instants] ?? frame, y: residuals[k] })),
    over: frameTimes ? 'seconds' : 'frames',
    width: 420,
    height: 230,
  });
}

/** HTML figure of the mean absolute difference of each pixel over all frames of a strip; white is the largest. */
function where({ mean }: Comparison): Html {
  if (!mean) return nothing;
  const { width, height, png } = mean.picture;
  return html`<figure class="chart where"><figcaption>mean difference by pixel, white is ${formatNumber(mean.largest, 2)}</figcaption>
<img src="${pngUrl(png)}" width="${width}" height="${height}" alt="where the estimate differs from the target"></figure>`;
}
