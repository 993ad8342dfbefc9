import type { FilmInfo } from '@gradsim/video';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface PartProps {
  readonly file: File;
  readonly info: FilmInfo;
  /** Number of frames that the page can hold. */
  readonly most: number;
  /** Called with the first and the last frame of the chosen part. */
  readonly onPart: (first: number, last: number) => void;
}

/** Choice of the part of a long film that the page reads: where it begins, by the browser's player or in seconds. */
export function Part({ file, info, most, onPart }: PartProps): JSX.Element {
  const video = useRef<HTMLVideoElement>(null);
  const [address, setAddress] = useState<string>();
  const [from, setFrom] = useState(0);
  useEffect(() => {
    const own = URL.createObjectURL(file);
    setAddress(own);
    return () => URL.revokeObjectURL(own);
  }, [file]);
  const { frameCount, frameRate = 30, width, height } = info;
  const latest = (frameCount - 2) / frameRate;
  const length = (most / frameRate).toFixed(1);
  const take = (): void => {
    const first = Math.round(Math.min(Math.max(from, 0), latest) * frameRate);
    onPart(first, Math.min(first + most, frameCount) - 1);
  };
  return (
    <section class="part-of-film" aria-label="Part of the film">
      <p>
        This film has {frameCount} frames of {width} × {height} pixels; the page can hold {most} of them, {length} s.
        Choose where the motion begins.
      </p>
      <video
        ref={video}
        src={address}
        controls
        muted
        playsInline
        aria-label="The whole film"
        onTimeUpdate={({ currentTarget }) => setFrom(currentTarget.currentTime)}
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        <label for="part-from">From second</label>
        <input
          id="part-from"
          type="number"
          min="0"
          max={latest.toFixed(2)}
          step="0.1"
          value={from.toFixed(2)}
          onChange={({ currentTarget }) => {
            const next = Number(currentTarget.value) || 0;
            setFrom(next);
            if (video.current) video.current.currentTime = next;
          }}
        />
        <button type="submit" class="main">
          Take {length} s from here
        </button>
      </form>
    </section>
  );
}
