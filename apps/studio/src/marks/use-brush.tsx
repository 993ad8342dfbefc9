import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Stroke, strokesOf, strokeText } from '../../../../packages/film/src/reading/stroke.ts';
import type { FormTexts } from '../form/texts.ts';
import { Brush } from './brush.tsx';

interface BrushInput {
  readonly fields: FormTexts;
  readonly onField: (name: string, text: string) => void;
  readonly frame: number;
  /** Kind and film: for another the panel closes. */
  readonly of: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** What a stroke does, as the page calls it. */
const MODES: Readonly<Record<Stroke['mode'], string>> = {
  add: 'Add to the thing',
  remove: 'Remove',
  ignore: 'Ignore',
};

/** Brush that corrects what the film's masks show, and frames that are left out: its overlay, and the panel about it. */
export function useBrush({ fields, onField, frame, of, size }: BrushInput): {
  readonly overlay: JSX.Element | null;
  readonly panel: JSX.Element | null;
} {
  const [isOpen, open] = useState(false);
  const [mode, setMode] = useState<Stroke['mode']>('ignore');
  const [isEverywhere, setEverywhere] = useState(false);
  const [part, setPart] = useState(0.04);
  useEffect(() => open(false), [of]);
  if (!size) return { overlay: null, panel: null };
  const radius = part * size.width;
  const strokes = strokesOf(fields.retouch ?? null);
  const without = numbersOf(fields.without);
  const isLeftOut = without.includes(frame);
  const setStrokes = (next: readonly Stroke[]): void => onField('retouch', next.map(strokeText).join('; '));
  const leaveOut = (): void =>
    onField('without', (isLeftOut ? without.filter((each) => each !== frame) : [...without, frame]).join(', '));
  return {
    overlay: isOpen ? (
      <Brush
        {...{ size, frame, strokes }}
        next={{ mode, radius, ...(isEverywhere ? {} : { frames: [frame, frame] as const }) }}
        onStroke={(stroke) => setStrokes([...strokes, stroke])}
      />
    ) : null,
    panel: (
      <details class="brush-panel" open={isOpen} onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary>
          {['Brush', ...counted(strokes, 'stroke', ''), ...counted(without, 'frame', ' left out')].join(', ')}
        </summary>
        <p class="what">
          Where the outlines are wrong, draw over them, by mouse, finger or keys. A thing that touches what is ignored
          is not compared in that frame.
        </p>
        <div class="brush-row" role="radiogroup" aria-label="What the brush does">
          {(Object.keys(MODES) as Stroke['mode'][]).map((each) => (
            <label>
              <input type="radio" name="brush" checked={mode === each} onChange={() => setMode(each)} />
              {MODES[each]}
            </label>
          ))}
          <label>
            <input type="checkbox" checked={isEverywhere} onChange={() => setEverywhere(!isEverywhere)} />
            in all frames
          </label>
        </div>
        <div class="brush-row">
          <label>
            Width
            <input
              type="range"
              min="0.005"
              max="0.2"
              step="0.005"
              value={part}
              onInput={({ currentTarget }) => setPart(Number(currentTarget.value))}
            />
          </label>
          <button type="button" disabled={strokes.length === 0} onClick={() => setStrokes(strokes.slice(0, -1))}>
            Undo
          </button>
          <button type="button" aria-pressed={isLeftOut} onClick={leaveOut}>
            {isLeftOut ? 'Count this frame' : 'Leave this frame out'}
          </button>
        </div>
      </details>
    ),
  };
}

const counted = ({ length }: readonly unknown[], what: string, end: string): string[] =>
  length === 0 ? [] : [`${length} ${what}${length === 1 ? '' : 's'}${end}`];

const numbersOf = (text = ''): number[] => (text.trim() === '' ? [] : text.split(',').map(Number));
