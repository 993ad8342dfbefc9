import type { FrameClock } from '@gradsim/core';
import { type Html, html, nothing } from '../components/index.ts';
import type { CheckedStrip } from '../experiment/checked-strip.ts';
import { formatNumber } from '../terminal/numbers.ts';
import { compare } from './comparison.ts';
import { comparisonPlayer, pngUrl } from './player.ts';

/**
 * HTML figure of target, estimate and difference: a film that plays, and single frames, as PNGs within the page.
 * @param clock of the problem whose frame numbers the strip uses.
 * @throws if a picture of the strip cannot be read, or has a size other than the strip's.
 */
export async function stripFigure(strip: CheckedStrip | undefined, clock: FrameClock): Promise<Html> {
  if (!strip || strip.frames.length === 0) return nothing;
  const comparison = await compare(strip, clock);
  const { row: shown, gain } = comparison;
  const row = (what: string, view: 0 | 1 | 2): Html =>
    html`<div class="row-label">${what}</div>${shown.map(({ frame, pictures }) => {
      const { width, height, png } = pictures[view];
      return html`<img src="${pngUrl(png)}" width="${width}" height="${height}" alt="${what}, frame ${frame}">`;
    })}`;
  const gainNote = gain > 1 ? ` × ${formatNumber(gain, 2)}` : '';
  return html`<section><h3>Frames</h3>
${strip.frames.length > 1 ? comparisonPlayer(comparison) : nothing}
<div class="strip${strip.width > 160 ? '' : ' small'}" style="--columns: ${shown.length}">
<div class="row-label"></div>${shown.map(({ frame }) => html`<div class="column-label">${frame}</div>`)}
${row('target', 0)}
${row('estimate', 1)}
${row(`difference${gainNote}`, 2)}
</div></section>`;
}
