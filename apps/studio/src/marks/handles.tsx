import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Pictures } from '../work/film-messages.ts';
import { stepOfKey } from './arrow-keys.ts';
import './handles.css';
import { pictureOf } from '../film/picture.ts';

/** Point over the film that can be moved. */
export interface Handle {
  readonly id: string;
  /** Words for who does not see it. */
  readonly label: string;
  /** Place, px of the film's pictures. */
  readonly at: readonly [number, number];
  /** True once it was put there, false while it follows the others. */
  readonly isPlaced: boolean;
}

interface HandlesProps {
  readonly handles: readonly Handle[];
  readonly size: { readonly width: number; readonly height: number };
  readonly pictures: Pictures;
  readonly frame: number;
  /** Handle that is put where the film is pressed beside the others. */
  readonly free?: string;
  readonly onMove: (id: string, at: readonly [number, number]) => void;
  /** Called when the pointer lets a handle go. */
  readonly onDrop?: () => void;
  readonly children?: JSX.Element;
}

/** Distance from a handle within which a press takes it, CSS pixels: half of what a finger needs. */
const GRASP = 26;
/** Steps of the arrow keys, px of the film's pictures: alone, and with the shift key. */
const STEPS = { alone: 0.5, leap: 5 } as const;

/** Points over the film that are moved by mouse, finger or arrow keys, with a loupe over the one that is moved. */
export function Handles({ handles, size, pictures, frame, free, onMove, onDrop, children }: HandlesProps): JSX.Element {
  const place = useRef<SVGSVGElement>(null);
  const [held, hold] = useState('');
  const [focused, focus] = useState('');
  /** Distance of the handle from the pointer that holds it, px: under a finger it does not jump. */
  const off = useRef<readonly [number, number]>([0, 0]);
  const scale = (): number => place.current!.getScreenCTM()!.a;
  const pixelOf = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(place.current!.getScreenCTM()!.inverse());
    return [x, y];
  };
  const inside = ([x, y]: readonly [number, number]) =>
    [Math.min(Math.max(x, 0), size.width), Math.min(Math.max(y, 0), size.height)] as const;
  const nearest = (event: PointerEvent): Handle | undefined => {
    const [x, y] = pixelOf(event);
    const away = ({ at }: Handle): number => Math.hypot(at[0] - x, at[1] - y) * scale();
    const [first] = handles.filter(({ isPlaced }) => isPlaced || free === undefined).sort((a, b) => away(a) - away(b));
    return first && away(first) < GRASP ? first : undefined;
  };
  const shown = handles.find(({ id }) => id === (held || focused));
  const radius = size.width / 90;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for parts of a form. */}
      <svg
        ref={place}
        class={free === undefined ? 'handles' : 'handles pressed'}
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="group"
        aria-label="Points over the film"
        style={{ '--stroke': `${size.width / 320}px` }}
        onPointerDown={(event) => {
          const handle = nearest(event);
          const id = handle?.id ?? free;
          if (id === undefined) return;
          event.preventDefault();
          const [x, y] = pixelOf(event);
          off.current = handle ? [handle.at[0] - x, handle.at[1] - y] : [0, 0];
          if (!handle) onMove(id, inside([x, y]));
          event.currentTarget.setPointerCapture(event.pointerId);
          hold(id);
          place.current!.querySelector<SVGElement>(`[data-id="${id}"]`)?.focus({ preventScroll: true });
        }}
        onPointerMove={(event) => {
          if (held === '') return;
          const [x, y] = pixelOf(event);
          onMove(held, inside([x + off.current[0], y + off.current[1]]));
        }}
        onPointerUp={() => {
          hold('');
          if (held !== '') onDrop?.();
        }}
        onPointerCancel={() => hold('')}
      >
        {children}
        {handles.map(({ id, label, at: [x, y], isPlaced }) => (
          // biome-ignore lint/a11y/useSemanticElements: there are no buttons within a picture.
          <g
            key={id}
            data-id={id}
            class={`handle${isPlaced ? ' placed' : ''}`}
            tabIndex={0}
            role="button"
            aria-label={`${label}, at ${x.toFixed(1)}, ${y.toFixed(1)}${isPlaced ? '' : ', not placed yet'}. Arrow keys move it, Enter leaves it there.`}
            onFocus={() => focus(id)}
            onBlur={() => focus('')}
            onKeyDown={(event) => {
              const step = stepOfKey(event, STEPS);
              if (step) onMove(id, inside([x + step[0], y + step[1]]));
            }}
          >
            <circle class="target" cx={x} cy={y} r={2.4 * radius} />
            <circle cx={x} cy={y} r={radius} />
            <path d={`M${x - radius / 2} ${y}h${radius}M${x} ${y - radius / 2}v${radius}`} />
          </g>
        ))}
      </svg>
      {shown && <Loupe at={shown.at} {...{ pictures, size, frame }} />}
    </>
  );
}

/** Pixels of the pictures to show on each side of the loupe's middle, and its size, CSS pixels. */
const [REACH, WIDE] = [12, 120];

/** Picture around a point, enlarged, in the corner of the film that is farther from the point. */
function Loupe({
  at: [x, y],
  pictures,
  size,
  frame,
}: Pick<HandlesProps, 'pictures' | 'size' | 'frame'> & { readonly at: readonly [number, number] }): JSX.Element {
  const draw = (canvas: HTMLCanvasElement | null): void => {
    if (!canvas) return;
    const by = pictures.width / size.width;
    const [left, top] = [Math.round(x * by) - REACH, Math.round(y * by) - REACH];
    const context = canvas.getContext('2d')!;
    context.clearRect(0, 0, 2 * REACH, 2 * REACH);
    context.putImageData(pictureOf(pictures, frame), -left, -top);
  };
  // The cross is at the point itself, which is between whole pixels.
  const cross = [x, y].map((c) => {
    const at = c * (pictures.width / size.width);
    return ((at - Math.round(at) + REACH) * WIDE) / (2 * REACH);
  });
  return (
    <div class={`loupe${x < size.width / 2 ? ' right' : ''}`} aria-hidden="true">
      <canvas ref={draw} width={2 * REACH} height={2 * REACH} />
      <svg viewBox={`0 0 ${WIDE} ${WIDE}`} aria-hidden="true">
        <path d={`M0 ${cross[1]}H${WIDE}M${cross[0]} 0V${WIDE}`} />
      </svg>
    </div>
  );
}
