import type { Strip } from '@gradsim/optim';
import { encodePng } from '@gradsim/video';
import { checkStrip } from '../experiment/check-strip.ts';
import { formatNumber } from '../terminal/numbers.ts';
import { brightDifference, compare, spread } from './comparison.ts';
import { type Html, html, nothing } from './html.ts';
import { comparisonPlayer } from './player.ts';

/** At most so many frames stand side by side. */
const COLUMNS = 8;

/**
 * Target, estimate and difference, as a film that plays and frame by frame, as PNGs within the page.
 * @param frameRate of the problem, whose frames the strip numbers.
 * @throws when the strip's arrays are not what its size and frames say.
 */
export async function stripFigure(strip: Strip | undefined, frameRate: number): Promise<Html> {
  if (!strip || strip.frames.length === 0) return nothing;
  checkStrip(strip);
  const { width, height, frames, target, estimate } = strip;
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
${frames.length > 1 ? comparisonPlayer(await compare(strip, frameRate)) : nothing}
<div class="strip${width > 160 ? '' : ' small'}" style="--columns: ${shown.length}">
<div class="row-label"></div>${shown.map((k) => html`<div class="column-label">${frames[k]}</div>`)}
${await row('target', target)}
${await row('estimate', estimate)}
${await row(`difference${gainNote}`, difference)}
</div></section>`;
}
