import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Place for a film or a session: dropped anywhere on the page, or chosen. */
export function Drop({
  hasFilm,
  onFiles,
  onTry,
}: {
  hasFilm: boolean;
  /** Called with what was dropped or chosen: a film, a session, or the films of a class and their sheet. */
  onFiles: (files: readonly File[]) => void;
  /** Called to try the film that comes with the page. */
  onTry: () => void;
}): JSX.Element {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
      const files = event.type === 'drop' ? [...(event.dataTransfer?.files ?? [])] : [];
      if (files.length > 0) take.current(files);
    };
    const types = ['dragover', 'dragleave', 'drop'] as const;
    for (const type of types) addEventListener(type, over);
    return () => {
      for (const type of types) removeEventListener(type, over);
    };
  }, []);
  return (
    <section class={`drop${isOver ? ' over' : ''}${hasFilm ? ' small' : ''}`} aria-label="Film">
      {!hasFilm && (
        <>
          <h2>Drop a film here</h2>
          <p>
            A camera that stands still, a thing that moves: a ball that bounces, a box that slides down, a pendulum. A
            few seconds are enough.
          </p>
        </>
      )}
      <button type="button" class={hasFilm ? '' : 'main'} onClick={() => input.current!.click()}>
        {hasFilm ? 'Another film' : 'Choose a film'}
      </button>
      {!hasFilm && (
        <button type="button" class="try" onClick={onTry}>
          No film? Try one of a pendulum
        </button>
      )}
      <input
        ref={input}
        type="file"
        accept="video/*,image/gif,.mkv,.json,.csv,.tsv"
        multiple
        hidden
        aria-label="Film or session"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      {!hasFilm && (
        <p class="what">
          MP4, MOV, WebM, MKV or GIF; several of a class at once, with a table of what each group measured if there is
          one; or a session that you saved here.
        </p>
      )}
    </section>
  );
}
