import type { ImageLayout } from 'gradsim/render';
import { withBase } from 'vitepress';
import { onBeforeUnmount, onMounted, ref, shallowRef } from 'vue';

/** An unknown of the film, as the table shows it. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly estimate?: number;
  readonly error?: number;
  readonly truth?: number;
}

/** Modules of the site's library, which the page loads when it is shown. */
const load = <T>(name: string): Promise<T> =>
  import(/* @vite-ignore */ new URL(withBase(`/lib/${name}.js`), location.href).href);

/** A film as its worker sends it (src/workers/film-maker.js). */
interface MadeFilm {
  readonly truth: readonly number[];
  readonly target: Float64Array;
  readonly rows: Float64Array;
  readonly layout: ImageLayout;
  readonly size: { readonly width: number; readonly height: number };
  readonly timeline: { readonly frames: number; readonly frameRate: number };
  readonly unknowns: readonly Row[];
}

/** The film of a seed, made in a worker, which ends with it. */
function madeFilm(seed: number, signal: AbortSignal): Promise<MadeFilm> {
  const worker = new Worker(withBase('/lib/film-maker.js'), { type: 'module' });
  return new Promise<MadeFilm>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<MadeFilm | { readonly problem: string }>) =>
      'problem' in data ? reject(new Error(data.problem)) : resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message || 'The worker could not be started.'));
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(seed);
  }).finally(() => worker.terminate());
}

/** Frames of a run that may be shorter than the film: the last one stays. */
function padded(values: Float64Array, length: number, count: number): Float64Array {
  const all = new Float64Array(length);
  const frame = length / count;
  for (let k = 0; k < length; k += frame) {
    const from = Math.min(k, values.length - frame);
    all.set(values.subarray(from, from + frame), k);
  }
  return all;
}

const byte = (value: number): number => 255 * Math.min(1, Math.max(0, value));

/** Estimate of a row, with its standard error once that is known. */
export const digits = ({ estimate, error }: Row): string =>
  estimate === undefined
    ? ''
    : error === undefined
      ? estimate.toFixed(3)
      : `${estimate.toFixed(4)} ± ${error.toFixed(4)}`;
/** The film of the first page: made, estimated in a worker, and drawn while that goes on. */
export function useFilm() {
  const filmCanvas = ref<HTMLCanvasElement>();
  const bothCanvas = ref<HTMLCanvasElement>();
  const rows = shallowRef<readonly Row[]>([]);
  const status = ref('');
  const isDone = ref(false);
  const problem = ref('');
  const stop = new AbortController();
  let seed = 1;
  let film: { rows: Float64Array; width: number; height: number; frames: number; rate: number } | undefined;
  let estimated: Float64Array | undefined;
  let drawing = 0;
  /** Pictures on the canvases. */
  let drawn: { frame?: number; estimated?: typeof estimated; film?: typeof film } = {};

  async function solve(): Promise<void> {
    isDone.value = false;
    problem.value = '';
    estimated = undefined;
    status.value = 'Drawing a film …';
    const [made, { estimateInWorker, toRows }] = await Promise.all([
      madeFilm(seed++, stop.signal),
      load<typeof import('../workers/film-client.js')>('film-client'),
    ]);
    const { frames: count, frameRate } = made.timeline;
    film = { rows: made.rows, ...made.size, frames: count, rate: frameRate };
    rows.value = made.unknowns;
    const found = await estimateInWorker(() => new Worker(withBase('/lib/film-problem.js'), { type: 'module' }), {
      settings: { target: made.target },
      device: 'cpu',
      signal: stop.signal,
      frames: ['pixels.rgba'],
      onProgress: ({ iteration, best, frames, seconds }) => {
        status.value = `Iteration ${iteration?.iteration ?? 0}, ${seconds.toFixed(1)} s`;
        if (frames['pixels.rgba'])
          estimated = toRows(made.layout, padded(frames['pixels.rgba'], made.target.length, count), 4);
        if (best) show(best.parameters);
      },
    });
    function show(
      parameters: Record<string, { estimate: number; standardError?: number | null }>,
      truths?: readonly number[],
    ): void {
      rows.value = made.unknowns.map(({ name, unit }, k) => ({
        name,
        unit,
        estimate: parameters[name].estimate,
        error: truths && (parameters[name].standardError ?? undefined),
        truth: truths?.[k],
      }));
    }
    show(found.parameters, made.truth);
    const [{ note = '' } = {}] = found.verdict.findings;
    status.value = `${found.verdict.trusted ? 'Trusted: no check found anything against it.' : `Not to be trusted. ${note}`} ${found.history.length} iterations, ${found.seconds.run.toFixed(1)} s.`;
    isDone.value = true;
  }

  /** Draws one frame: the film as it is, and beside it film (red) and estimate (cyan) in one picture. */
  function draw(time: number): void {
    drawing = requestAnimationFrame(draw);
    if (!film || !filmCanvas.value || !bothCanvas.value) return;
    const { width, height, frames, rate, rows: seen } = film;
    const frame = Math.floor((time / 1000) * rate) % (frames + Math.round(rate / 2));
    // A screen shows more pictures than a film has, which are not drawn again.
    if (frame === drawn.frame && estimated === drawn.estimated && film === drawn.film) return;
    drawn = { frame, estimated, film };
    const from = Math.min(frame, frames - 1) * width * height * 4;
    const [shown, both] = [new ImageData(width, height), new ImageData(width, height)];
    for (let k = 0; k < width * height; k++) {
      const at = from + 4 * k;
      shown.data.set([byte(seen[at]), byte(seen[at + 1]), byte(seen[at + 2]), 255], 4 * k);
      const model = estimated ? byte(estimated[at]) : 18;
      both.data.set([byte(seen[at]), model, model, 255], 4 * k);
    }
    filmCanvas.value.getContext('2d')!.putImageData(shown, 0, 0);
    bothCanvas.value.getContext('2d')!.putImageData(both, 0, 0);
  }

  function again(): void {
    solve().catch((error: Error) => {
      if (!stop.signal.aborted) problem.value = error.message;
    });
  }
  onMounted(() => {
    seed = Math.floor(Math.random() * 1e6);
    drawing = requestAnimationFrame(draw);
    again();
  });
  onBeforeUnmount(() => {
    cancelAnimationFrame(drawing);
    stop.abort();
  });

  return { again, bothCanvas, filmCanvas, isDone, problem, rows, status };
}
