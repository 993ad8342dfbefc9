import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Pictures, TrackedThing } from '../work/film-messages.ts';
import { cornersOf, drawModel, type ModelOutline, type ModelScene, modelScene } from './model-picture.ts';
import { pictureOf } from './picture.ts';
import { Zoom } from './zoom.tsx';

interface PlayerProps {
  readonly pictures: Pictures;
  /** Size of the file's pictures, in whose pixels outlines are given. */
  readonly size: { readonly width: number; readonly height: number };
  readonly frameRate: number;
  readonly frame: number;
  readonly onFrame: (frame: number) => void;
  /** First and last frame that count. */
  readonly range: readonly [number, number];
  readonly things: readonly TrackedThing[];
  /** Name of the thing that is measured; others are drawn thin. */
  readonly chosen?: string;
  readonly onChoose?: (name: string) => void;
  readonly modelAt?: (frame: number) => ModelOutline | undefined;
  /** Positions of the model in all frames, px. */
  readonly modelPath?: readonly (readonly [number, number])[];
  readonly label: string;
  /** True to compare the film with the model's picture by a wipe. */
  readonly hasWipe?: boolean;
  /** What lies over the film and takes the pointer. */
  readonly overlay?: JSX.Element | null;
  readonly children?: JSX.Element | null;
}

/** Film that plays and steps frame by frame, with outlines and paths drawn over it. Keys: space, arrows, Home, End. */
export function Player(props: PlayerProps): JSX.Element {
  const { pictures, size, frameRate, frame, onFrame, range, things, chosen, onChoose, modelAt, modelPath, label } =
    props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isPlaying, play] = useState(false);
  const { first, width, height, count } = pictures;
  const last = first + count - 1;
  useEffect(() => {
    canvas.current!.getContext('2d')!.putImageData(pictureOf(pictures, frame), 0, 0);
  }, [pictures, frame]);
  const scale = width / size.width;
  const model = modelAt?.(frame);
  const modelCanvas = useRef<HTMLCanvasElement>(null);
  const [wipe, setWipe] = useState(100);
  const [scene, setScene] = useState<ModelScene>();
  const isWiped = Boolean(props.hasWipe) && wipe < 100;
  useEffect(() => setScene(undefined), [pictures, chosen]);
  useEffect(() => {
    if (!isWiped || scene) return;
    let isCurrent = true;
    const thing = things.find(({ name }) => name === chosen);
    void modelScene(pictures, thing, scale).then((next) => isCurrent && setScene(next));
    return () => {
      isCurrent = false;
    };
  }, [isWiped, scene, pictures, chosen]);
  useEffect(() => {
    if (isWiped) drawModel(modelCanvas.current!, { pictures, frame, model, scene, scale, from: wipe / 100 });
  }, [wipe, scene, frame, pictures]);
  const now = useRef(frame);
  now.current = frame;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      const { current } = now;
      onFrame(current >= range[1] || current < range[0] ? range[0] : current + 1);
    }, 1000 / Math.min(frameRate, 60));
    return () => clearInterval(timer);
  }, [isPlaying, frameRate, range[0], range[1]]);
  const step = (to: number): void => {
    play(false);
    onFrame(Math.min(Math.max(to, first), last));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ' ': () => play(!isPlaying),
    ArrowLeft: () => step(frame - 1),
    ArrowRight: () => step(frame + 1),
    Home: () => step(range[0]),
    End: () => step(range[1]),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, key } = event;
    // A button acts on the space bar, a slider on all of these keys.
    if (target instanceof HTMLButtonElement && key === ' ') return;
    // What is enlarged scrolls by them.
    if (target instanceof HTMLElement && target.dataset.scrolls === 'true') return;
    if (target instanceof HTMLInputElement || !(key in keys)) return;
    event.preventDefault();
    keys[key]();
  };
  const line = size.width / 320;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for parts of a form.
    <div class="player" role="group" aria-label={label} onKeyDown={onKeyDown}>
      <Zoom
        label="The film"
        beside={
          props.hasWipe && (
            <label class="wipe-row">
              Model
              <input
                type="range"
                min="0"
                max="100"
                value={wipe}
                aria-label="Wipe between film and model"
                aria-valuetext={`film on the left ${wipe} %, model on the right`}
                onInput={({ currentTarget }) => setWipe(Number(currentTarget.value))}
              />
              Film
            </label>
          )
        }
      >
        <div class="stage">
          <canvas
            ref={canvas}
            width={width}
            height={height}
            tabIndex={0}
            role="img"
            aria-label={`${label}, frame ${frame}. Arrow keys step, space plays.`}
          />
          {isWiped && <canvas ref={modelCanvas} class="wiped" width={width} height={height} />}
          <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true" style={{ '--stroke': `${line}px` }}>
            {modelPath && <polyline class="model-path" points={modelPath.map((point) => point.join(',')).join(' ')} />}
            {things.map(({ name, seen }) => (
              <g class={name === chosen ? 'seen chosen' : 'seen'}>
                {(chosen ?? name) === name && !modelPath && (
                  <polyline points={seen.map(({ x, y }) => `${x},${y}`).join(' ')} />
                )}
                {seen
                  .find((each) => each.frame === frame)
                  ?.outline.map((points) => (
                    // biome-ignore lint/a11y/noStaticElementInteractions: the same choice is a menu below the film.
                    <polygon
                      points={points.map((point) => point.join(',')).join(' ')}
                      onClick={() => onChoose?.(name)}
                    />
                  ))}
              </g>
            ))}
            {model && (
              <polygon
                class="model"
                points={cornersOf(model)
                  .map((point) => point.join(','))
                  .join(' ')}
              />
            )}
            {isWiped && <path class="wipe" d={`M${(wipe / 100) * size.width} 0V${size.height}`} />}
          </svg>
          {props.overlay}
        </div>
      </Zoom>
      <div class="controls">
        <button type="button" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={() => play(!isPlaying)}>
          {isPlaying ? '❚❚' : '▶'}
        </button>
        <button type="button" aria-label="One frame back" onClick={() => step(frame - 1)}>
          ‹
        </button>
        <input
          type="range"
          min={first}
          max={last}
          value={frame}
          aria-label="Frame"
          onInput={({ currentTarget }) => step(Number(currentTarget.value))}
        />
        <button type="button" aria-label="One frame forward" onClick={() => step(frame + 1)}>
          ›
        </button>
        <output>
          {frame} / {last}
        </output>
      </div>
      {props.children}
    </div>
  );
}
