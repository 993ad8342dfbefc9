import type { Strip } from '@gradsim/optim';
import { encodePng } from '@gradsim/video';
import { formatNumber } from '../terminal/numbers.ts';
import { type Html, html, nothing } from './html.ts';

/** At most so many frames stand side by side. */
const COLUMNS = 8;
/** A difference is brightened until its largest value shows, but no further: noise is not to look like error. */
const LARGEST_GAIN = 20;

/**
 * Target, estimate and difference, frame by frame, as PNGs within the page.
 * @throws when the strip's arrays are not what its size and frames say.
 */
export async function stripFigure(strip: Strip | undefined): Promise<Html> {
  if (!strip || strip.frames.length === 0) return nothing;
  const { width, height, frames, target, estimate } = strip;
  requireLength('target', target, strip);
  requireLength('estimate', estimate, strip);
  const shown = spread(frames.length, COLUMNS);
  const { difference, gain } = brightDifference(target, estimate);
  const picture = async (data: Float32Array, k: number, what: string): Promise<Html> => {
    const png = await encodePng({ width, height, channels: 3, frameRate: 1, data }, k);
    const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
    return html`<img src="${url}" width="${width}" height="${height}" alt="${what}, frame ${frames[k]}">`;
  };
  const row = async (what: string, data: Float32Array): Promise<Html> =>
    html`<div class="row-label">${what}</div>${await Promise.all(shown.map((k) => picture(data, k, what)))}`;
  const gainNote = gain > 1 ? ` × ${formatNumber(gain, 2)}` : '';
  return html`<section><h3>Frames</h3>
<div class="strip${width > 160 ? '' : ' small'}" style="--columns: ${shown.length}">
<div class="row-label"></div>${shown.map((k) => html`<div class="column-label">${frames[k]}</div>`)}
${await row('target', target)}
${await row('estimate', estimate)}
${await row(`difference${gainNote}`, difference)}
</div></section>`;
}

/** The size of the difference in every channel, brightened as a whole. */
function brightDifference(a: Float32Array, b: Float32Array): { difference: Float32Array; gain: number } {
  const difference = a.map((value, k) => Math.abs(value - b[k]));
  const largest = difference.reduce((sum, d) => Math.max(sum, d), 0);
  const gain = largest > 0 ? Math.min(LARGEST_GAIN, Math.max(1, 1 / largest)) : 1;
  return { difference: difference.map((d) => d * gain), gain };
}

/** Up to `most` of so many numbers, the first and the last among them, evenly spaced. */
function spread(count: number, most: number): number[] {
  if (count <= most) return [...Array(count).keys()];
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)));
}

function requireLength(what: string, data: Float32Array, { width, height, frames }: Strip): void {
  const needed = width * height * 3 * frames.length;
  if (data.length === needed) return;
  throw new Error(
    `The strip's ${what} has ${data.length} values, but ${frames.length} frames of ${width} x ${height} with 3 channels have ${needed}.`,
  );
}
