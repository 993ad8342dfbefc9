import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Field } from '../form/questions.tsx';
import { kindOf } from '../kinds.ts';
import { type Handle, Handles } from '../marks/handles.tsx';
import type { CameraInput } from '../marks/use-camera.tsx';
import { clicksOf } from './settings.ts';

const MODES = { length: 'the ends of a known length', origin: 'the origin', thing: 'the thing, by hand' } as const;
type Mode = keyof typeof MODES;
type Point = readonly [number, number];

const digits = (place: readonly number[]): string => place.map((c) => c.toFixed(2)).join(', ');

/** Clicks on the film where something is followed: they set a length, the origin, and the thing itself. */
export function useClicks(input: CameraInput): {
  readonly overlay: JSX.Element | null;
  readonly panel: JSX.Element | null;
} {
  const { kind, fields, checked, showsMissing, onField, frame, onFrame, size, pictures } = input;
  const { measures, marked } = kindOf(kind);
  const [mode, setMode] = useState<Mode>('length');
  /** First end of a length whose other one is not placed yet. */
  const [loose, setLoose] = useState<readonly (Point | undefined)[]>([]);
  const isNew = useRef(false);
  if (!('marks' in measures) || !size || !pictures) return { overlay: null, panel: null };
  const numbers = (name: string): readonly number[] => (checked.values[name] ?? []) as readonly number[];
  const [both, origin] = [numbers('ends'), numbers('origin')];
  const clicks = clicksOf(numbers('marks'));
  const here = clicks.find((click) => click.frame === frame);
  const ends: readonly (Point | undefined)[] =
    both.length === 4
      ? [
          [both[0], both[1]],
          [both[2], both[3]],
        ]
      : loose;
  const middle: Point = [size.width / 2, size.height / 2];
  const setEnd = (k: number, at: Point): void => {
    const next = [0, 1].map((each) => (each === k ? at : ends[each]));
    setLoose(next);
    if (next[0] && next[1]) onField('ends', digits([...next[0], ...next[1]]));
  };
  const setClick = (at?: Point): void => {
    const others = clicks.filter((click) => click !== here);
    const next = at ? [...others, { frame, x: at[0], y: at[1] }] : others;
    onField('marks', next.map((click) => `${click.frame}, ${digits([click.x, click.y])}`).join(', '));
  };
  const handles: Readonly<Record<Mode, () => { all: Handle[]; set: (id: string, at: Point) => void }>> = {
    length: () => ({
      all: ['One end of the length', 'The other end of the length'].map((label, k) => ({
        id: String(k),
        label,
        at: ends[k] ?? [[0.3, 0.7][k] * size.width, middle[1]],
        isPlaced: Boolean(ends[k]),
      })),
      set: (id, at) => setEnd(Number(id), at),
    }),
    origin: () => ({
      all: [
        {
          id: 'origin',
          label: 'The origin',
          at: origin.length === 2 ? (origin as Point) : middle,
          isPlaced: origin.length === 2,
        },
      ],
      set: (_, at) => onField('origin', digits(at)),
    }),
    thing: () => ({
      all: [
        {
          id: 'thing',
          label: `The thing in frame ${frame}`,
          at: here ? [here.x, here.y] : middle,
          isPlaced: Boolean(here),
        },
      ],
      set: (_, at) => {
        if (!here) isNew.current = true;
        setClick(at);
      },
    }),
  };
  const { all, set } = handles[mode]();
  const free = all.find(({ isPlaced }) => !isPlaced)?.id;
  const last = pictures.first + pictures.count - 1;
  const clear = { length: 'ends', origin: 'origin', thing: 'marks' }[mode];
  return {
    overlay: (
      <Handles
        {...{ size, pictures, frame, free }}
        handles={all}
        onMove={set}
        onDrop={() => {
          if (isNew.current) onFrame(Math.min(frame + 1, last));
          isNew.current = false;
        }}
      >
        {mode === 'length' ? <path class="edge" d={`M${all[0].at.join(' ')}L${all[1].at.join(' ')}`} /> : undefined}
      </Handles>
    ),
    panel: (
      <fieldset class="camera" id="field-ends" tabIndex={-1}>
        <legend>What do clicks on the film set?</legend>
        <div class="brush-row" role="radiogroup" aria-label="What a click on the film sets">
          {(Object.keys(MODES) as Mode[]).map((each) => (
            <label>
              <input type="radio" name="clicks" value={each} checked={mode === each} onChange={() => setMode(each)} />
              {MODES[each]}
            </label>
          ))}
        </div>
        <p class="found" role="status">
          {mode === 'length' &&
            `${['Click one end of something of known length', 'Click its other end', 'Drag the ends to where they belong'][ends.filter(Boolean).length]}${both.length === 4 ? '' : `, ${marked}, that lies in the plane of the motion`}.`}
          {mode === 'origin' &&
            (origin.length === 2
              ? `The origin is at ${origin.map((c) => c.toFixed(0)).join(', ')} px.`
              : 'Click where x and y are 0. Without a click, it is where the thing is seen first.')}
          {mode === 'thing' &&
            `Click the same point of the thing frame by frame: the next frame comes by itself. ${clicks.length} ${clicks.length === 1 ? 'frame is' : 'frames are'} marked; clicks replace what is followed by itself there.`}
        </p>
        <Field name="span" measure={measures.span} {...{ texts: fields, onField, checked, showsMissing }} />
        {checked.errors.ends && (showsMissing || both.length > 0) && (
          <p class="wrong" role="status">
            {checked.errors.ends}
          </p>
        )}
        {mode === 'thing' && here && (
          <button type="button" onClick={() => setClick()}>
            Remove the click in this frame
          </button>
        )}{' '}
        {(fields[clear] ?? '') !== '' && (
          <button
            type="button"
            onClick={() => {
              setLoose([]);
              onField(clear, '');
            }}
          >
            {
              { length: 'Place the ends again', origin: 'Origin where it is seen first', thing: 'Remove all clicks' }[
                mode
              ]
            }
          </button>
        )}
      </fieldset>
    ),
  };
}
