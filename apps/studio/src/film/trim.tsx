import type { JSX } from 'preact';
import type { TrackedThing } from '../work/film-messages.ts';

interface TrimProps {
  readonly frame: number;
  readonly first: number;
  readonly last: number;
  readonly things: readonly TrackedThing[];
  /** Number of the chosen thing; empty for the one that moves as the kind does. */
  readonly chosen: string;
  readonly onField: (name: string, text: string) => void;
  /** Turns the pictures clockwise by a quarter turn. */
  readonly onTurn: () => void;
  /** Chooses another part of a film that is too long to be shown as a whole. */
  readonly onPart?: () => void;
}

/** Frames that count, and which of the moving things is measured. */
export function Trim({ frame, first, last, things, chosen, onField, onTurn, onPart }: TrimProps): JSX.Element {
  return (
    <div class="trim">
      <button type="button" onClick={() => onField('first', String(frame))}>
        Starts here
      </button>
      <button type="button" onClick={() => onField('last', String(frame))}>
        Ends here
      </button>
      <span>
        frames {first} to {last}
      </span>
      <button type="button" onClick={onTurn}>
        Turn
      </button>
      {onPart && (
        <button type="button" onClick={onPart}>
          Another part
        </button>
      )}
      {things.length > 1 && (
        <label>
          Measure{' '}
          <select value={chosen} onChange={({ currentTarget }) => onField('track', currentTarget.value)}>
            <option value="">what fits best</option>
            {things.map(({ name, seen }) => (
              <option value={name}>
                thing {name} ({seen.length} frames)
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
