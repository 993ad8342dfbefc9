import { withBase } from 'vitepress';
import { onBeforeUnmount, onMounted, ref, shallowRef } from 'vue';
import type { FilmReport, FilmRequest, Row } from './film-messages.ts';
import { UNKNOWNS } from './film-unknowns.ts';
import { whenSeenAtRest } from './seen-at-rest.ts';

/** Estimate of a row, with its standard error once that is known. */
export const digits = ({ estimate, error }: Row): string =>
  estimate === undefined
    ? ''
    : error === undefined
      ? estimate.toFixed(3)
      : `${estimate.toFixed(4)} ± ${error.toFixed(4)}`;

/** The film of the first page, which a worker makes, solves and draws (src/workers/film-player.ts). */
export function useFilm() {
  const filmCanvas = ref<HTMLCanvasElement>();
  const bothCanvas = ref<HTMLCanvasElement>();
  const rows = shallowRef<readonly Row[]>(UNKNOWNS);
  const status = ref('');
  const isDone = ref(false);
  const problem = ref('');
  const ended = new AbortController();
  let worker: Worker | undefined;
  let seed = 0;

  function take({ data }: MessageEvent<FilmReport>): void {
    rows.value = data.rows ?? rows.value;
    status.value = data.status ?? status.value;
    isDone.value = data.isDone ?? false;
    problem.value = data.problem ?? '';
  }
  function order(canvases?: OffscreenCanvas[]): void {
    isDone.value = false;
    problem.value = '';
    status.value = 'Drawing a film …';
    const library = new URL(withBase('/lib/'), location.href).href;
    worker!.postMessage({ seed: seed++, library, canvases } satisfies FilmRequest, canvases ?? []);
  }
  onMounted(async () => {
    await whenSeenAtRest(filmCanvas.value!, ended.signal);
    if (ended.signal.aborted) return;
    seed = Math.floor(Math.random() * 1e6);
    worker = new Worker(withBase('/lib/film-player.js'), { type: 'module' });
    worker.onmessage = take;
    worker.onerror = ({ message }) => {
      problem.value = message || 'The worker could not be started.';
    };
    order([filmCanvas.value!.transferControlToOffscreen(), bothCanvas.value!.transferControlToOffscreen()]);
  });
  onBeforeUnmount(() => {
    ended.abort();
    worker?.terminate();
  });

  return { again: () => order(), bothCanvas, filmCanvas, isDone, problem, rows, status };
}
