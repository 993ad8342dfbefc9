// Solves the film of the first page beside the page, which stays free: makes it, has another worker estimate it, and draws both.
import { type Estimate, estimateInWorker } from 'gradsim/optim';
import type { FilmReport, FilmRequest, Row } from '../theme/film-messages.ts';
import { UNKNOWNS } from '../theme/film-unknowns.ts';
import { makeFilm, rowsOf, SIZE, TIMELINE } from './film.js';

/** Pictures, [frame][row][column][channel], 0 to 1. */
type Pictures = Float64Array;

const report = (message: FilmReport): void => self.postMessage(message);

/** Canvases of the film, and of film and estimate over one another. */
let contexts: readonly OffscreenCanvasRenderingContext2D[] = [];
let shown: { film: Pictures; estimated?: Pictures; frame?: number } | undefined;

/** Rows of the table; with the truth once the search has ended, and then with standard errors. */
const rowsOfTable = ({ parameters }: Pick<Estimate, 'parameters'>, truth?: readonly number[]): Row[] =>
  UNKNOWNS.map(({ name, unit }, k) => ({
    name,
    unit,
    estimate: parameters[name].estimate,
    error: truth && (parameters[name].standardError ?? undefined),
    truth: truth?.[k],
  }));

async function solve({ seed, library }: FilmRequest): Promise<void> {
  const { model, target, truth } = await makeFilm(seed);
  shown = { film: rowsOf(model, target) };
  report({ rows: UNKNOWNS });
  let last = -1;
  const found = await estimateInWorker(() => new Worker(`${library}film-problem.js`, { type: 'module' }), {
    settings: { target },
    device: 'cpu',
    frames: ['pixels.rgba'],
    onProgress: ({ iteration, best, frames: { 'pixels.rgba': frames }, seconds }) => {
      if (!iteration || !best || iteration.iteration === last) return;
      last = iteration.iteration;
      if (frames) shown = { film: shown!.film, estimated: rowsOf(model, padded(frames, target.length)) };
      report({ rows: rowsOfTable(best), status: `Iteration ${last}, ${seconds.toFixed(1)} s` });
    },
  });
  const { trusted, findings } = found.verdict;
  const word = trusted
    ? 'Trusted: no check found anything against it.'
    : `Not to be trusted. ${findings[0]?.note ?? ''}`;
  const status = `${word} ${found.history.length} iterations, ${found.seconds.run.toFixed(1)} s.`;
  report({ rows: rowsOfTable(found, truth), status, isDone: true });
}

/** Frames of a run that may be shorter than the film: the last one stays. */
function padded(values: Pictures, length: number): Pictures {
  const all = new Float64Array(length);
  const frame = length / TIMELINE.frames;
  for (let k = 0; k < length; k += frame) {
    const from = Math.min(k, values.length - frame);
    all.set(values.subarray(from, from + frame), k);
  }
  return all;
}

/** Draws a frame, where it is another one: the film as it is, and film (red) and estimate (cyan) in one picture. */
function draw(time: number): void {
  requestAnimationFrame(draw);
  if (!shown) return;
  const { film, estimated } = shown;
  const { frames, frameRate } = TIMELINE;
  // The last frame stays for half a second.
  const frame = Math.min(Math.floor((time / 1000) * frameRate) % (frames + Math.round(frameRate / 2)), frames - 1);
  if (frame === shown.frame) return;
  shown.frame = frame;
  const { width, height } = SIZE;
  const [alone, both] = [new ImageData(width, height), new ImageData(width, height)];
  for (let k = 0, at = frame * width * height * 4; k < width * height * 4; k += 4, at += 4) {
    const model = estimated ? 255 * estimated[at] : 18;
    alone.data.set([255 * film[at], 255 * film[at + 1], 255 * film[at + 2], 255], k);
    both.data.set([255 * film[at], model, model, 255], k);
  }
  contexts[0].putImageData(alone, 0, 0);
  contexts[1].putImageData(both, 0, 0);
}

self.onmessage = ({ data }: MessageEvent<FilmRequest>) => {
  if (data.canvases) {
    contexts = data.canvases.map((canvas) => canvas.getContext('2d')!);
    requestAnimationFrame(draw);
  }
  solve(data).catch((error: unknown) => report({ problem: error instanceof Error ? error.message : String(error) }));
};
