import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Stroke, strokeText } from '../../../../packages/film/src/reading/stroke.ts';
import { stepOfKey } from './arrow-keys.ts';
import './handles.css';

type Point = readonly [number, number];

interface BrushProps {
  readonly size: { readonly width: number; readonly height: number };
  readonly frame: number;
  readonly strokes: readonly Stroke[];
  /** What the next stroke is: all but its points. */
  readonly next: Omit<Stroke, 'points'>;
  readonly onStroke: (stroke: Stroke) => void;
}

/** Steps of the arrow keys, px of the film's pictures: alone, and with the shift key. */
const STEPS = { alone: 1, leap: 10 } as const;
/** Distance between the points of a stroke, in radii. */
const APART = 0.3;

/**
 * Brush over the film, and its strokes in the frame. The pointer draws while it is pressed; with keys, arrows move the
 * brush, and Enter puts it down and lifts it.
 */
export function Brush({ size, frame, strokes, next, onStroke }: BrushProps): JSX.Element {
  const place = useRef<SVGSVGElement>(null);
  const [at, setAt] = useState<Point>([size.width / 2, size.height / 2]);
  const [points, setPoints] = useState<readonly Point[]>([]);
  const pixelOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(place.current!.getScreenCTM()!.inverse());
    return inside([x, y]);
  };
  const inside = ([x, y]: Point): Point => [
    Math.min(Math.max(x, 0), size.width),
    Math.min(Math.max(y, 0), size.height),
  ];
  const isDown = points.length > 0;
  const move = (to: Point): void => {
    setAt(to);
    const last = points.at(-1);
    if (last && Math.hypot(to[0] - last[0], to[1] - last[1]) > APART * next.radius) setPoints([...points, to]);
  };
  const lift = (): void => {
    if (isDown) onStroke({ ...next, points });
    setPoints([]);
  };
  const shown = strokes.filter(({ frames }) => !frames || (frame >= frames[0] && frame <= frames[1]));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for parts of a form.
    <svg
      ref={place}
      class="handles pressed brush"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="group"
      aria-label="Brush over the film"
      style={{ '--stroke': `${size.width / 320}px` }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const to = pixelOf(event);
        setAt(to);
        setPoints([to]);
        place.current!.querySelector('g')?.focus({ preventScroll: true });
      }}
      onPointerMove={(event) => move(pixelOf(event))}
      onPointerUp={lift}
      onPointerCancel={lift}
    >
      {[...shown, ...(isDown ? [{ ...next, points }] : [])].map((stroke) => (
        <polyline
          key={strokeText(stroke)}
          class={stroke.mode}
          points={[...stroke.points, stroke.points[stroke.points.length - 1]].map((point) => point.join(',')).join(' ')}
          style={{ strokeWidth: `${2 * stroke.radius}px` }}
        />
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: there are no buttons within a picture. */}
      <g
        class="handle"
        tabIndex={0}
        role="button"
        aria-pressed={isDown}
        aria-label={`Brush at ${at.map(Math.round).join(', ')}. Arrow keys move it, Enter puts it down and lifts it.`}
        onKeyDown={(event) => {
          const step = stepOfKey(event, STEPS);
          if (!step) return;
          if (step[0] !== 0 || step[1] !== 0) move(inside([at[0] + step[0], at[1] + step[1]]));
          else if (isDown) lift();
          else setPoints([at]);
        }}
        onBlur={lift}
      >
        <circle class={next.mode} cx={at[0]} cy={at[1]} r={next.radius} />
      </g>
    </svg>
  );
}
