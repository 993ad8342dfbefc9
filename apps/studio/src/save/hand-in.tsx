import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Pictures } from '../work/film-messages.ts';
import { reportPage } from './report-page.ts';
import { save } from './save.ts';

interface HandInProps {
  readonly title: string;
  /** Name of the file, without its ending. */
  readonly stem: string;
  readonly pictures: Pictures;
}

/** Names of who made it, and the button that saves the answer around it as a page to hand in. */
export function HandIn({ title, stem, pictures }: HandInProps): JSX.Element {
  const [who, setWho] = useState('');
  return (
    <>
      <input
        type="text"
        autoComplete="off"
        placeholder="Your names, for the report"
        aria-label="Your names, for the report"
        value={who}
        onInput={({ currentTarget }) => setWho(currentTarget.value)}
      />
      <button
        type="button"
        onClick={({ currentTarget }) => {
          const whole = who.trim() === '' ? title : `${title}, by ${who.trim()}`;
          save(`${stem}.html`, reportPage(currentTarget.closest('.answer')!, whole, pictures));
        }}
      >
        Report (HTML)
      </button>
    </>
  );
}
