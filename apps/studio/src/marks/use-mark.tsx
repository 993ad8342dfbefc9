import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Field } from '../form/questions.tsx';
import { kindOf } from '../kinds.ts';
import { type ErrorSentence, sentenceOf } from '../work/sentence.ts';
import { type Handle, Handles } from './handles.tsx';
import type { CameraInput } from './use-camera.tsx';

type Module = typeof import('../camera/plane-scale.ts');
type Point = readonly [number, number];

const NAMES = ['One end of the length', 'The other end of the length'] as const;

/** Length that is marked over the film by two clicks, and the panel about it, for kinds that may have one. */
export function useMark(input: CameraInput): {
  readonly overlay: JSX.Element | null;
  readonly panel: JSX.Element | null;
} {
  const { kind, fields, checked, showsMissing, onField, frame, size, pictures } = input;
  const { measures, marked } = kindOf(kind);
  const [isOpen, open] = useState(false);
  /** Ends of which the other is not placed yet. */
  const [loose, setLoose] = useState<readonly (Point | undefined)[]>([]);
  const [module, setModule] = useState<Module>();
  const isAsked = 'ends' in measures && !('marks' in measures) && size !== undefined && pictures !== undefined;
  const { values, errors } = checked;
  const both = values.ends as readonly number[] | null;
  const isUsed = both !== null || values.span !== null;
  const shows = isOpen || isUsed || Boolean(errors.span);
  useEffect(() => {
    if (isAsked && shows && !module) void import('../camera/plane-scale.ts').then((loaded) => setModule(loaded));
  }, [isAsked, shows]);
  useEffect(() => setLoose([]), [pictures, kind]);
  if (!isAsked) return { overlay: null, panel: null };

  const placed: readonly (Point | undefined)[] =
    both?.length === 4
      ? [
          [both[0], both[1]],
          [both[2], both[3]],
        ]
      : loose;
  const shown = [0.3, 0.7].map((part, k): Point => placed[k] ?? [part * size.width, 0.5 * size.height]);
  const free = [0, 1].find((k) => !placed[k]);
  const move = (k: number, at: Point): void => {
    const next = [0, 1].map((each) => (each === k ? at : placed[each]));
    setLoose(next);
    const [a, b] = next;
    if (a && b) onField('ends', [...a, ...b].map((c) => c.toFixed(2)).join(', '));
  };
  const restart = (): void => {
    setLoose([]);
    onField('ends', '');
  };
  const scale = module && both && values.span !== null && !errors.ends ? scaleOf(module, input) : undefined;
  const handles = NAMES.map(
    (label, k): Handle => ({ id: String(k), label, at: shown[k], isPlaced: Boolean(placed[k]) }),
  );
  return {
    overlay: shows ? (
      <Handles
        {...{ size, pictures, frame, handles }}
        free={free === undefined ? undefined : String(free)}
        onMove={(id, at) => move(Number(id), at)}
      >
        <path class="edge" d={`M${shown[0].join(' ')}L${shown[1].join(' ')}`} />
      </Handles>
    ) : null,
    panel: (
      <fieldset class="camera" id="field-ends" tabIndex={-1}>
        <details open={shows} onToggle={({ currentTarget }) => open(currentTarget.open)}>
          <summary>Two clicks and a length</summary>
          <p>
            Click the two ends of something of known length in the film, {marked}. It must lie in the plane of the
            motion, across the line of sight. Then what you could not measure above may stay empty.
          </p>
          <Field name="span" measure={measures.span} {...{ texts: fields, onField, checked, showsMissing }} />
          <p role="status" class="found">
            {placed.filter(Boolean).length === 1 && 'One end placed. '}
            {scale &&
              'pixels' in scale &&
              `A metre is ${scale.pixelsPerMetre.toPrecision(3)} pixels there (± ${(100 * scale.relativeError).toPrecision(2)} %), and the camera ${scale.distance.toPrecision(3)} m away (± ${scale.distanceError.toPrecision(1)}).`}
          </p>
          {scale && 'message' in scale && (
            <p class="wrong" role="alert">
              {scale.message} {scale.hint}
            </p>
          )}
          {errors.ends && (showsMissing || both) && (
            <p class="wrong" role="status">
              {errors.ends}
            </p>
          )}
          {placed.some(Boolean) && (
            <button type="button" onClick={restart}>
              Place the ends again
            </button>
          )}
        </details>
      </fieldset>
    ),
  };
}

function scaleOf(
  { planeScale }: Module,
  { checked, size }: CameraInput,
): ReturnType<Module['planeScale']> | ErrorSentence {
  try {
    return planeScale(size!, checked.values as unknown as Parameters<Module['planeScale']>[1]);
  } catch (error) {
    return sentenceOf(error);
  }
}
