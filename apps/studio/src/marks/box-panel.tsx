import type { JSX } from 'preact';
import { type BoxScene, MIN_CORNERS } from '../camera/box-settings.ts';
import type { ErrorSentence } from '../work/sentence.ts';

interface BoxPanelProps {
  readonly scene: BoxScene | null;
  readonly error?: ErrorSentence;
  /** Sentence on what is missing, if that is shown. */
  readonly missing?: string;
  /** Number of corners that are marked. */
  readonly count: number;
  /** Frame in which they are marked, if another is shown. */
  readonly otherFrame?: number;
  readonly onFrame: (frame: number) => void;
  readonly onRestart: () => void;
  readonly children: JSX.Element;
}

/** Text beside the box over the film: what to do, and the camera as far as it is found. */
export function BoxPanel(props: BoxPanelProps): JSX.Element {
  const { scene, error, missing, count, otherFrame, onFrame, onRestart, children } = props;
  const found = scene?.found;
  return (
    <fieldset class="camera" id="field-corners" tabIndex={-1}>
      <legend>Where is the camera?</legend>
      {otherFrame === undefined ? (
        <p>
          Drag the corners of the box that lies over the film onto those of the real one. What you do not drag follows.
          From {MIN_CORNERS} corners on the camera is known, from more of them better.
        </p>
      ) : (
        <p>
          The corners are marked in frame {otherFrame}.{' '}
          <button type="button" onClick={() => onFrame(otherFrame)}>
            Show it
          </button>
        </p>
      )}
      {children}
      <p role="status" class="found">
        {count === 0 ? '' : `${count} ${count === 1 ? 'corner' : 'corners'} placed. `}
        {found &&
          `The camera is ${found.distance.toPrecision(3)} m away (± ${found.distanceError.toPrecision(1)}), with a field of view of ${found.fieldOfView.toFixed(0)}° (± ${Math.max(1, found.fieldOfViewError).toFixed(0)}). The corners fit within ${found.rms.toFixed(1)} pixels.`}
      </p>
      {error && (
        <p class="wrong" role="alert">
          {error.message} {error.hint}
        </p>
      )}
      {missing && (
        <p class="wrong" role="status">
          {missing}
        </p>
      )}
      {count > 0 && (
        <button type="button" onClick={onRestart}>
          Place the corners again
        </button>
      )}
    </fieldset>
  );
}
