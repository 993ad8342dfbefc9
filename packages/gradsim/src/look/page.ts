import { basename } from 'node:path';
import type { Track } from '@gradsim/video';
import { type Html, html, htmlPage, lineChart, list, nothing, table } from '../components/index.ts';
import { pageScript, reportStyle } from '../report/assets.ts';
import { player } from '../report/player.ts';
import { formatNumber } from '../terminal/numbers.ts';
import { type Look, tracksOfFile } from './measure.ts';
import { frameSheet, strobe } from './pictures.ts';
import { largeOnes } from './remarks.ts';
import { smaller, TRACK_COLUMNS, trackRow } from './table.ts';

/** Maximum number of tracks that get their own curves on the page. */
const MAX_CURVES = 3;

/** HTML page on the content of a film, as one self-contained file. */
export async function lookPage(film: string, look: Look): Promise<string> {
  const { remarks, background } = look;
  const tracks = largeOnes(tracksOfFile(look));
  const sheet = await frameSheet(look);
  const picture = Buffer.from(await strobe(look)).toString('base64');
  const title = basename(film);
  return htmlPage({
    title,
    style: reportStyle(),
    scripts: [pageScript('player.js')],
    body: html`<main>
<h1>${title}</h1>
${facts(look)}
${list(remarks)}
<h3>Where things have been</h3>
<img class="whole" src="data:image/png;base64,${picture}" width="${background.width}" alt="the background with what moves and its paths">
<h3>Frame by frame</h3>
${player(sheet, ['film, outlines and paths', 'masks', 'what they cut out'])}
${trackTable(tracks)}
${fewer(tracks.length, look.tracks.length)}
${tracks.slice(0, MAX_CURVES).map(curves)}
</main>`,
  });
}

const fewer = (shown: number, all: number): Html =>
  shown < all ? html`<p class="legend">${smaller(all - shown)}</p>` : nothing;

function facts({ info, frames, first, every, scale }: Look): Html {
  const { width, height, frameCount, frameRate, times, codec, format, rotation } = info;
  const count = frames.data.length / (frames.width * frames.height * 3);
  const last = first + (count - 1) * every;
  return html`<div class="facts"><span><b>${width} x ${height}</b> pixels${scale < 1 ? `, looked at in ${frames.width} x ${frames.height}` : ''}</span>
<span>frames <b>${first}</b> to <b>${last}</b> of ${frameCount}${every > 1 ? `, every ${every}` : ''}</span>
<span><b>${frameRate === undefined ? 'no clock' : formatNumber(frameRate)}</b>${frameRate === undefined ? '' : ` frames a second${times ? ', unevenly' : ''}`}</span>
<span>${codec ?? format}${rotation ? `, turned by ${rotation} degrees` : ''}</span></div>`;
}

function trackTable(tracks: readonly Track[]): Html {
  if (tracks.length === 0) return nothing;
  return html`<h3>Tracks</h3>${table(TRACK_COLUMNS, tracks.map(trackRow))}`;
}

function curves({ name, points }: Track): Html {
  const chart = (title: string, of: (point: Track['points'][number]) => number | undefined): Html =>
    lineChart({
      title: `track ${name}: ${title}`,
      unit: title === 'area' ? 'px²' : 'px',
      over: 'frames',
      width: 420,
      height: 230,
      points: points.map((point) => ({ x: point.frame, y: of(point) ?? Number.NaN })),
    });
  return html`<div class="charts">${[chart('x', (p) => p.x), chart('y, downwards', (p) => p.y), chart('area', (p) => p.area)]}</div>`;
}
