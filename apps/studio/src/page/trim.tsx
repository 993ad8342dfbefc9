import type { JSX } from 'preact';
import type { Thing } from '../work/film-messages.ts';

interface TrimProps {
  readonly frame: number;
  readonly first: number;
  readonly last: number;
  readonly things: readonly Thing[];
  /** Number of the chosen thing; empty for the one that moves as the kind does. */
  readonly chosen: string;
  readonly onField: (name: string, text: string) => void;
}

/** Frames that count, and which of the moving things is measured. */
export function Trim({ frame, first, last, things, chosen, onField }: TrimProps): JSX.Element {
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
