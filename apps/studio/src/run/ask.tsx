import type { JSX } from 'preact';
import { Questions } from '../form/questions.tsx';
import { Template } from '../form/template.tsx';
import { ticksOf } from '../form/ticks.ts';
import { kindOf } from '../kinds.ts';
import { TRACK } from '../track-only.ts';
import type { ErrorSentence } from '../work/sentence.ts';
import { Progress } from './progress.tsx';
import type { Run } from './use-estimate.ts';

type AskProps = Parameters<typeof Questions>[0] & {
  readonly run: Run;
  readonly error?: ErrorSentence;
  readonly canStart: boolean;
  readonly isReading: boolean;
  /** True if it starts by itself once the film has been read. */
  readonly isWaiting: boolean;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** Link that opens the page with what is entered. */
  readonly linkOf: () => string;
};

/** Form of what is known of a film, and the button that starts. */
export function Ask({
  run,
  error,
  canStart,
  isReading,
  isWaiting,
  onStart,
  onStop,
  linkOf,
  ...questions
}: AskProps): JSX.Element {
  const { kind, texts } = questions;
  const wanted = ticksOf(kindOf(kind), texts).filter(({ isTicked }) => isTicked);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <Questions {...questions} />
      {run.isRunning ? (
        <>
          <Progress answers={wanted.map(({ answer }) => answer)} progress={run.progress} />
          <button type="button" onClick={onStop}>
            Stop
          </button>
        </>
      ) : (
        (canStart || isReading) && (
          <button type="submit" class="main" aria-busy={isReading}>
            {kind === TRACK.name ? 'Follow it' : 'Estimate'}
          </button>
        )
      )}
      {isWaiting && <p role="status">The film is still being read: it starts as soon as that is done.</p>}
      <Wrong of={error} />
      <Template linkOf={linkOf} />
    </form>
  );
}

/** Error with its advice. */
export const Wrong = ({ of: error }: { readonly of?: ErrorSentence }): JSX.Element | null =>
  error ? (
    <p class="wrong" role="alert">
      {error.message} {error.hint}
    </p>
  ) : null;
