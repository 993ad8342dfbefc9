import { type Html, html, nothing } from '../components/index.ts';
import { formatNumber } from '../terminal/numbers.ts';
import type { Comparison, Sheet } from './comparison.ts';

/** A PNG as a `data:` URL. */
export const pngUrl = (png: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;

/** Player of target, estimate and difference as a film within the page. */
export function comparisonPlayer(comparison: Comparison): Html {
  const { gain } = comparison;
  return player(comparison, ['target', 'estimate', `difference${gain > 1 ? ` × ${formatNumber(gain, 2)}` : ''}`], {
    overlay: 'overlay: red only target, cyan only estimate',
    wipe: 'from target to estimate',
  });
}

/** Comparison of a player's second picture with its first. */
export interface PlayerComparison {
  /** Title of a fourth picture, the second drawn over the first. */
  readonly overlay: string;
  /** Label of a slider that wipes the second picture over the first. */
  readonly wipe: string;
}

/**
 * Player of a sheet's three pictures as a film within the page; its script is `client/player.ts`.
 * @param comparison default: the pictures are only shown.
 */
export function player(
  { width, height, frames, columns, seconds, sheet }: Sheet,
  views: readonly [string, string, string],
  comparison?: PlayerComparison,
): Html {
  const view = (what: string, isOverlay = false, wipe?: string): Html =>
    html`<figure><canvas${isOverlay ? html` data-overlay=""` : nothing} width="${width}" height="${height}" role="img" aria-label="${what}"></canvas><figcaption>${what}</figcaption>${wipe === undefined ? nothing : html`<input type="range" class="wipe" min="0" max="100" value="0" aria-label="wipe ${wipe}">`}</figure>`;
  return html`<div class="player${width > 160 ? '' : ' small'}" data-columns="${columns}" data-frames="${frames.join(' ')}" data-seconds="${seconds.map((s) => Number(s.toPrecision(6))).join(' ')}" hidden>
<img class="sheet" src="${pngUrl(sheet)}" alt="" hidden>
<div class="views"${comparison ? html` style="--views: 4"` : nothing}>${views.map((what, k) => view(what, false, k === 1 ? comparison?.wipe : undefined))}${comparison ? view(comparison.overlay, true) : nothing}</div>
<div class="controls"><button type="button" aria-label="play">▶</button>
<input type="range" min="0" max="${frames.length - 1}" value="0" step="1" aria-label="frame">
<output>frame ${frames[0]}</output></div></div>`;
}
