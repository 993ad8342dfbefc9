import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorSentence } from '../work/sentence.ts';

interface FormulasProps {
  readonly fit: string;
  readonly start: string;
  readonly columns: readonly string[];
  readonly error?: ErrorSentence;
  readonly onFit: (fit: string, start: string) => void;
}

/** Formulas that are typed and fitted. */
export function Formulas({ fit, start, columns, error, onFit }: FormulasProps): JSX.Element {
  const [text, setText] = useState(fit);
  const [from, setFrom] = useState(start);
  return (
    <form
      class="formulas"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onFit(text, from);
      }}
    >
      <label for="formula">Fit a formula</label>
      <input
        id="formula"
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        placeholder="y = a t^2 + b t + c"
        aria-describedby="formula-what"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="main">
        Fit
      </button>
      <p class="what" id="formula-what">
        A graph, = and a formula of t and other graphs; letters that are neither are found. A slope: vy = g t + v.
        Several between semicolons. There are {columns.join(', ')}.
      </p>
      <details open={from !== '' || /start/i.test(error?.hint ?? '')}>
        <summary>Where the search starts</summary>
        <label>
          Values{' '}
          <input
            type="text"
            autoComplete="off"
            placeholder="w = 6; p = 0"
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
      </details>
      {error && (
        <p class="wrong" role="alert">
          {error.message} {error.hint}
        </p>
      )}
    </form>
  );
}
