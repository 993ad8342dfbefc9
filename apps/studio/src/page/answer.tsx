import type { JSX } from 'preact';
import {
  correlationSection,
  givenTable,
  type Html,
  headline,
  iterationSection,
  limitSection,
  parameterTable,
  searchFacts,
} from '../../../../packages/gradsim/src/components/index.ts';
import type { Motion } from '../../../../packages/gradsim/src/experiment/motion/motion.ts';
import { aboutNumbers, answersOf, verdictLines } from '../answer/sentences.ts';
import { kindOf } from '../kinds.ts';
import type { Found } from '../run/run.ts';
import { Course } from '../track/course.tsx';
import { Causes, Residuals } from './deeper.tsx';

interface AnswerProps {
  readonly kind: string;
  readonly found: Found;
  readonly motion: Motion | null;
  /** Answers that nobody looks for. */
  readonly notWanted: readonly string[];
  /** Measured mass of the thing, kg. */
  readonly mass?: number;
  /** Size of the film's pictures, px. */
  readonly size: { readonly width: number; readonly height: number };
  readonly film: JSX.Element;
  readonly downloads: JSX.Element;
}

/** Answer: the number with its bar and verdict, then film, remarks and curves; the rest folded. */
export function Answer({ kind, found, motion, notWanted, mass, size, film, downloads }: AnswerProps): JSX.Element {
  const { estimate, observed, notes } = found;
  const { compile, run } = estimate.seconds;
  const answers = answersOf(kind, estimate, notWanted);
  const facts = { ...estimate, seconds: compile + run, compileSeconds: compile };
  return (
    <section class="answer" aria-labelledby="answer-title">
      <h2 id="answer-title">Answer</h2>
      <Markup of={headline({ ...estimate, answers, lines: verdictLines(estimate) })} class="headline" />
      {film}
      <Markup of={limitSection(aboutNumbers(answers, estimate, notes))} class="about" />
      {motion && <Course {...{ motion, mass }} turns={kindOf(kind).turns} />}
      {downloads}
      <details class="deeper">
        <summary>All numbers, and how they were found</summary>
        <div class="parts">
          <Causes {...{ answers, estimate }} />
          <Residuals {...{ estimate, observed, size }} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a narrow page must be reached by keys. */}
        <section tabIndex={0} aria-label="All numbers">
          <Markup of={parameterTable(estimate)} />
          <Markup of={givenTable(estimate)} />
          <Markup of={searchFacts({ ...facts, iterations: estimate.history.at(-1)?.iteration ?? 0 })} />
          <Markup of={iterationSection(estimate)} />
          <Markup of={correlationSection(estimate)} />
        </section>
      </details>
    </section>
  );
}

/** Markup of the components that the studio shares with the command's report. */
const Markup = ({ of, ...attributes }: { readonly of: Html; readonly class?: string }): JSX.Element => (
  <div {...attributes} dangerouslySetInnerHTML={{ __html: of.markup }} />
);
