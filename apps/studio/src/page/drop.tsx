import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Place for a film or a session: dropped anywhere on the page, or chosen. */
export function Drop({ hasFilm, onFile }: { hasFilm: boolean; onFile: (file: File) => void }): JSX.Element {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = useRef(onFile);
  take.current = onFile;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
      const file = event.type === 'drop' ? event.dataTransfer?.files[0] : undefined;
      if (file) take.current(file);
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
      <input
        ref={input}
        type="file"
        accept="video/*,image/gif,.mkv,.json"
        hidden
        aria-label="Film or session"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      {!hasFilm && <p class="what">MP4, MOV, WebM, MKV or GIF; or a session that you saved here.</p>}
    </section>
  );
}
