import type { TrackedFilm } from '@gradsim/film';
import type { FilmInfo } from '@gradsim/video';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FilmOrder, FilmReport, Pictures, TrackedThing } from '../work/film-messages.ts';
import type { ErrorSentence } from '../work/sentence.ts';

/** A film that was opened, as far as it has been read. */
export interface OpenFilm {
  readonly file: File;
  readonly info?: FilmInfo;
  readonly pictures?: Pictures;
  /** Things that move; undefined while they are searched for. */
  readonly things?: readonly TrackedThing[];
  /** The film without its pictures, once things are searched for. */
  readonly tracked?: TrackedFilm;
  /** Kind that the path of the largest thing shows. */
  readonly likely?: string;
  /** Why there are no things. */
  readonly nothing?: ErrorSentence;
  readonly progress?: { readonly step: string; readonly fraction: number };
  readonly error?: ErrorSentence;
  /** Number of frames that the page can hold, for a film of more, of which a part must be chosen. */
  readonly most?: number;
}

const foundIn = ({
  things,
  tracked: { numbers, ...rest },
  likely,
  nothing,
}: Extract<FilmReport, { kind: 'things' }>): Partial<OpenFilm> => ({
  things,
  tracked: { ...rest, number: (frame) => numbers[frame] ?? null },
  likely,
  nothing,
});

/** Measurements that the reading of a film depends on. */
const READ = [
  'first',
  'last',
  'frameRate',
  'clock',
  'chroma',
  'steady',
  'upright',
  'without',
  'retouch',
  'background',
  'camera',
] as const;

/**
 * Reads films in a worker: a new file with its pictures, and the things that move again when what they depend on
 * changes.
 */
export function useFilm(measured: FilmOrder['measured'], mask: FilmOrder['mask']) {
  const [film, setFilm] = useState<OpenFilm | null>(null);
  const worker = useRef<Worker>();
  const key = JSON.stringify([READ.map((name) => measured[name]), mask]);
  const readKey = useRef('');

  function order(file: File, own: FilmOrder['measured'], pictures: boolean): void {
    worker.current?.terminate();
    const reader = new Worker(new URL('../work/worker.ts', import.meta.url), { type: 'module', name: 'film' });
    worker.current = reader;
    readKey.current = JSON.stringify([READ.map((name) => own[name]), mask]);
    const task: FilmOrder = {
      file,
      pictures,
      mask,
      measured: Object.fromEntries(READ.map((name) => [name, own[name]])),
    };
    const change = (news: Partial<OpenFilm>): void => setFilm((now) => now && { ...now, ...news });
    reader.addEventListener('message', ({ data }: MessageEvent<FilmReport>) => {
      if (worker.current !== reader) return;
      if (data.kind === 'ready') reader.postMessage(task);
      else if (data.kind === 'info') change({ info: data.info });
      else if (data.kind === 'progress') change({ progress: data });
      else if (data.kind === 'pictures') change({ pictures: data.pictures });
      else if (data.kind === 'things') change({ ...foundIn(data), progress: undefined });
      else if (data.kind === 'long') change({ most: data.most, progress: undefined });
      else change({ error: data, progress: undefined });
      if (['things', 'long', 'failed'].includes(data.kind)) reader.terminate();
    });
    reader.addEventListener('error', () =>
      change({ error: { message: 'The part of this page that reads films could not be loaded. Reload the page.' } }),
    );
  }

  /** Opens a film, by measurements that may be newer than those of the last drawing of the page. */
  function open(file: File, own: FilmOrder['measured']): void {
    setFilm({ file, progress: { step: 'opening', fraction: 0 } });
    order(file, own, true);
  }

  // While numbers are being typed, nothing is read again.
  useEffect(() => {
    if (!film?.pictures || readKey.current === key) return;
    const timer = setTimeout(() => {
      setFilm({
        ...film,
        things: undefined,
        tracked: undefined,
        nothing: undefined,
        error: undefined,
        progress: { step: 'reading', fraction: 0 },
      });
      order(film.file, measured, false);
    }, 400);
    return () => clearTimeout(timer);
  }, [key, film?.pictures]);

  return { film, open };
}
