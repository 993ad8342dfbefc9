import { createHash } from 'node:crypto';
import { formatNumber } from '../terminal/numbers.ts';
import type { Comparison, Sheet } from './comparison.ts';
import { type Html, html, nothing } from './html.ts';

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
 * Player of a sheet's three pictures as a film within the page; its script is {@link PLAYER_SCRIPT}.
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

/**
 * Script that plays every `.player` of the page: a button, a slider, and keys (space, arrows, Home, End) while it has
 * the focus. Embedded as text, so that the page's policy can allow it by its hash.
 */
export const PLAYER_SCRIPT = `
for (const player of document.querySelectorAll('.player')) {
  const numbers = (name) => player.dataset[name].split(' ').map(Number);
  const [frames, seconds, columns] = [numbers('frames'), numbers('seconds'), Number(player.dataset.columns)];
  const [sheet, button, slider, output] = ['img', 'button', '.controls input', 'output'].map((each) => player.querySelector(each));
  const wipe = player.querySelector('.wipe');
  const canvases = [...player.querySelectorAll('canvas')];
  let frame = 0;
  let timer = null;
  const show = (next) => {
    frame = Math.min(frames.length - 1, Math.max(0, next));
    slider.value = frame;
    slider.setAttribute('aria-valuetext', 'frame ' + frames[frame]);
    output.value = 'frame ' + frames[frame];
    canvases.forEach((canvas, k) => {
      const { width, height } = canvas;
      const context = canvas.getContext('2d', { willReadFrequently: 'overlay' in canvas.dataset });
      const draw = (view) => {
        const [x, y] = [(3 * (frame % columns) + view) * width, Math.floor(frame / columns) * height];
        context.drawImage(sheet, x, y, width, height, 0, 0, width, height);
      };
      if (!('overlay' in canvas.dataset)) {
        draw(k);
        if (k !== 1 || !wipe) return;
        // The first picture, up to the wipe.
        context.save();
        context.beginPath();
        context.rect(0, 0, (wipe.value / 100) * width, height);
        context.clip();
        draw(0);
        context.restore();
        return;
      }
      const [target, estimate] = [0, 1].map((view) => {
        draw(view);
        return context.getImageData(0, 0, width, height);
      });
      // Brightness of each: one in red, the other in green and blue, grey where they are equal.
      const light = (of, at) => 0.299 * of.data[at] + 0.587 * of.data[at + 1] + 0.114 * of.data[at + 2];
      for (let at = 0; at < target.data.length; at += 4) {
        const [seen, shown] = [light(target, at), light(estimate, at)];
        target.data.set([seen, shown, shown], at);
      }
      context.putImageData(target, 0, 0);
    });
  };
  const wait = () => {
    timer = setTimeout(() => {
      show((frame + 1) % frames.length);
      wait();
    }, 1000 * seconds[frame]);
  };
  const play = (isPlaying) => {
    clearTimeout(timer);
    timer = null;
    button.textContent = isPlaying ? '\\u23f8' : '\\u25b6';
    button.setAttribute('aria-label', isPlaying ? 'pause' : 'play');
    if (isPlaying) wait();
  };
  const seek = (next) => {
    play(false);
    show(next);
  };
  const toggle = () => play(timer === null);
  button.addEventListener('click', toggle);
  slider.addEventListener('input', () => seek(Number(slider.value)));
  wipe?.addEventListener('input', () => show(frame));
  player.addEventListener('keydown', (event) => {
    if (event.target === wipe) return;
    const steps = { ArrowLeft: frame - 1, ArrowRight: frame + 1, Home: 0, End: frames.length - 1 };
    if (event.ctrlKey || event.altKey || event.metaKey || (event.key !== ' ' && !(event.key in steps))) return;
    event.preventDefault();
    if (event.key === ' ') toggle();
    else seek(steps[event.key]);
  });
  // A focused button handles a space by itself when it is released.
  button.addEventListener('keyup', (event) => event.key === ' ' && event.preventDefault());
  sheet.decode().then(() => {
    player.hidden = false;
    show(0);
  });
}
`;

/** Content security policy of a page: only its embedded content and this one script. */
export const POLICY = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(PLAYER_SCRIPT).digest('base64')}'`;
