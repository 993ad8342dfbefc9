import { basename } from 'node:path';
import type { Track } from '@gradsim/video';
import { type Html, html, nothing } from '../report/html.ts';
import { lineChart } from '../report/line-chart.ts';
import { MARK_OF_PAGES } from '../report/marks.ts';
import { PLAYER_SCRIPT, POLICY, player } from '../report/player.ts';
import { STYLE } from '../report/style.ts';
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
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ markup: MARK_OF_PAGES }}
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body><main>
<h1>${title}</h1>
${facts(look)}
${remarks.length === 0 ? nothing : html`<ul class="remarks">${remarks.map((line) => html`<li>${line}</li>`)}</ul>`}
<h3>Where things have been</h3>
<img class="whole" src="data:image/png;base64,${picture}" width="${background.width}" alt="the background with what moves and its paths">
<h3>Frame by frame</h3>
${player(sheet, ['film, outlines and paths', 'masks', 'what they cut out'])}
${trackTable(tracks)}
${fewer(tracks.length, look.tracks.length)}
${tracks.slice(0, MAX_CURVES).map(curves)}
</main><script>${{ markup: PLAYER_SCRIPT }}</script></body>
</html>
`.markup;
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
  return html`<h3>Tracks</h3><div class="card"><table class="parameters">
<thead><tr>${TRACK_COLUMNS.map((name) => html`<th>${name}</th>`)}</tr></thead>
<tbody>${tracks.map((track) => html`<tr>${trackRow(track).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
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
