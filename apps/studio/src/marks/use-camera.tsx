import type { Point2 } from '@gradsim/cameras';
import type { JSX } from 'preact';
import type { BoxSettings } from '../camera/box-settings.ts';
import type { Checked } from '../form/fields.ts';
import { Field } from '../form/questions.tsx';
import type { FormTexts } from '../form/texts.ts';
import { kindOf, MARKED_FRAME } from '../kinds.ts';
import type { Pictures, TrackedThing } from '../work/film-messages.ts';
import { BoxOverlay } from './box-overlay.tsx';
import { BoxPanel } from './box-panel.tsx';
import { useBox } from './use-box.ts';

/** Input of the parts of the page that say where the camera is. */
export interface CameraInput {
  readonly kind: string;
  readonly fields: FormTexts;
  readonly checked: Checked;
  readonly showsMissing: boolean;
  readonly onField: (name: string, text: string) => void;
  readonly frame: number;
  readonly onFrame: (frame: number) => void;
  readonly size?: { readonly width: number; readonly height: number };
  readonly pictures?: Pictures;
  /** The thing that is measured. */
  readonly thing?: TrackedThing;
}

/** Size of the box before one is entered, m. */
const SOME_SIZE = [0.2, 0.1, 0.15] as const;

/** Box over the film that says where the camera is, and the panel about it, for kinds whose camera must be known. */
export function useCamera(input: CameraInput): {
  readonly overlay: JSX.Element | null;
  readonly panel: JSX.Element | null;
} {
  const { kind, fields, checked, showsMissing, onField, frame, onFrame, size, pictures } = input;
  const { measures } = kindOf(kind);
  const isAsked = 'corners' in measures && size !== undefined && pictures !== undefined;
  const { values } = checked;
  const marks = (values.corners ?? []) as readonly number[];
  const isTyped = Boolean(values.eye ?? values.target);
  const markedFrame = Number(fields[MARKED_FRAME] ?? frame);
  const isHere = marks.length === 0 || markedFrame === frame;
  const settings = isAsked && !isTyped ? settingsOf(input, marks, isHere ? frame : markedFrame) : null;
  const { scene, error } = useBox(settings);
  if (!isAsked || !settings) return { overlay: null, panel: null };

  function move(corner: number, at: readonly [number, number]): void {
    const others = Array.from({ length: marks.length / 3 }, (_, k) => marks.slice(3 * k, 3 * k + 3));
    const next = [...others.filter(([number]) => number !== corner), [corner, ...at]];
    onField('corners', next.map(([number, x, y]) => `${number}, ${x.toFixed(2)}, ${y.toFixed(2)}`).join(', '));
    if (marks.length === 0) onField(MARKED_FRAME, String(frame));
  }
  const restart = (): void => onField('corners', '');
  return {
    overlay: scene && isHere ? <BoxOverlay {...{ scene, size, pictures, frame }} onMove={move} /> : null,
    panel: (
      <BoxPanel
        {...{ scene, error, onFrame }}
        missing={showsMissing || marks.length >= 3 * 4 ? checked.errors.corners : undefined}
        count={marks.length / 3}
        otherFrame={isHere ? undefined : markedFrame}
        onRestart={restart}
      >
        <details open={Boolean(fields.reference)}>
          <summary>Another thing of known size on the incline</summary>
          <p>A larger thing, such as a sheet of paper or the board itself, gives the camera with a smaller error.</p>
          <Field name="reference" measure={measures.reference} {...{ texts: fields, onField, checked, showsMissing }} />
        </details>
      </BoxPanel>
    ),
  };
}

function settingsOf(
  { checked: { values }, size, thing }: CameraInput,
  marks: readonly number[],
  frame: number,
): BoxSettings {
  const sliding = (values.size ?? SOME_SIZE) as BoxSettings['size'];
  const picture = size!;
  const seen = thing?.seen ?? [];
  const here = seen.find((each) => each.frame === frame) ?? seen[0];
  const points = here?.outline.flat() ?? [];
  const extent = points.length > 2 ? diagonalOf(points) : picture.width / 5;
  const isOther = Boolean(values.reference);
  return {
    size: (values.reference ?? sliding) as BoxSettings['size'],
    height: sliding[1],
    angle: (values.angle as number | null) ?? 20,
    marks,
    picture,
    fieldOfView: values.fieldOfView as number | null,
    ...(seen.length > 1 ? { path: [placeOf(seen[0]), placeOf(seen[seen.length - 1])] as const } : {}),
    place: here && !isOther ? placeOf(here) : [picture.width / 2, picture.height / 2],
    extent: isOther ? picture.width / 3 : extent,
  };
}

const placeOf = ({ x, y }: { readonly x: number; readonly y: number }): Point2 => [x, y];

function diagonalOf(points: readonly Point2[]): number {
  const spans = [0, 1].map((k) => {
    const all = points.map((point) => point[k]);
    return Math.max(...all) - Math.min(...all);
  });
  return Math.hypot(...spans);
}
