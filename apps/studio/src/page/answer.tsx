import type { Estimate } from '@gradsim/optim';
import type { JSX } from 'preact';
import { notableGiven, otherGivenSentence } from '../../../../packages/gradsim/src/experiment/notable-given.ts';
import { type ErrorBarValues, errorBar } from '../../../../packages/gradsim/src/report/error-bar.ts';
import {
  formatEstimate,
  formatNumber,
  formatStandardError,
} from '../../../../packages/gradsim/src/terminal/numbers.ts';
import type { Motion } from '../answer/motion.ts';
import { answerOf, cannotTell, intervalText, unitText, valueText, verdictText } from '../answer/sentences.ts';
import { kindOf } from '../kinds.ts';
import { Curves } from './curves.tsx';
import { Causes, Corner, History, Residuals } from './deeper.tsx';
import type { Found } from './run.ts';

interface AnswerProps {
  readonly kind: string;
  readonly found: Found;
  readonly motion: Motion | null;
  /** Size of the film's pictures, px. */
  readonly size: { readonly width: number; readonly height: number };
  readonly film: JSX.Element;
  readonly downloads: JSX.Element;
}

/** Answer: the number with its bar and verdict, then film and curves, then what the film cannot tell; the rest folded. */
export function Answer({ kind, found, motion, size, film, downloads }: AnswerProps): JSX.Element {
  const { estimate, observed, notes } = found;
  const [name, answer] = answerOf(kind, estimate);
  const { trusted } = estimate.verdict;
  const meaning = kindOf(kind).meaning[name];
  const [, ...reasons] = estimate.verdict.findings.filter(({ isCritical }) => isCritical);
  const limits = cannotTell(kind, estimate);
  return (
    <section class="answer" aria-labelledby="answer-title">
      <h2 id="answer-title">Answer</h2>
      <div class={trusted ? 'number trusted' : 'number'}>
        <p class="name">
          {name}
          {meaning && <span>: {meaning}</span>}
        </p>
        <p class="value">
          {valueText(answer)}
          {Number.isFinite(answer.standardError ?? Number.NaN) && (
            <span class="error"> ± {formatNumber(answer.standardError!, 2)}</span>
          )}
          {answer.unit && <span class="unit"> {unitText(answer.unit)}</span>}
        </p>
        <Bar of={answer} wide />
        {answer.interval && <p class="interval">{intervalText(answer)}.</p>}
        <p class="verdict">
          <b aria-hidden="true">{trusted ? '✓' : '!'}</b> {verdictText(estimate)}
        </p>
        {reasons.length > 0 && (
          <ul>
            {reasons.map(({ note }) => (
              <li>{note}</li>
            ))}
          </ul>
        )}
      </div>
      {film}
      {limits.length > 0 && (
        <section class="limits">
          <h3>What this film cannot tell</h3>
          <p>{limits[0]}</p>
          {limits.length > 1 && (
            <details>
              <summary>What else it cannot tell</summary>
              <ul>
                {limits.slice(1).map((line) => (
                  <li>{line}</li>
                ))}
              </ul>
            </details>
          )}
        </section>
      )}
      {motion && (
        <>
          <p class="key">
            <span class="of-film">○ from the film</span> <span class="of-model">— fitted model</span>
          </p>
          <Curves motion={motion} />
        </>
      )}
      {downloads}
      <details class="deeper">
        <summary>All numbers, and how they were found</summary>
        <div class="parts">
          <Causes {...{ kind, estimate }} />
          <Residuals {...{ estimate, observed, size }} />
          <Corner {...{ estimate }} />
          <History {...{ estimate }} />
        </div>
        <Numbers estimate={estimate} />
        {notes.map((note) => (
          <p>{note}</p>
        ))}
        <p>
          Search: {estimate.method}, {estimate.history.at(-1)?.iteration ?? 0} iterations,{' '}
          {(estimate.seconds.compile + estimate.seconds.run).toFixed(1)} s on {estimate.device}; loss{' '}
          {formatNumber(estimate.loss, 4)}.
        </p>
      </details>
    </section>
  );
}

/** Bar of an estimate, as the command's report draws it. */
const Bar = ({ of, wide = false }: { readonly of: ErrorBarValues; readonly wide?: boolean }): JSX.Element => (
  // Markup that holds numbers alone.
  <span class={wide ? 'bar wide' : 'bar'} dangerouslySetInnerHTML={{ __html: errorBar(of).markup }} />
);

function Numbers({ estimate }: { estimate: Estimate }): JSX.Element {
  const chosen = notableGiven(estimate);
  const others = otherGivenSentence(chosen);
  const unitOf = (unit: string): string => (unit ? ` [${unitText(unit)}]` : '');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a narrow page must be reached by keys.
    <section class="wide" tabIndex={0} aria-label="All numbers">
      <table>
        <thead>
          <tr>
            <th scope="col">number</th>
            <th scope="col">start</th>
            <th scope="col">estimate</th>
            <th scope="col">standard error</th>
            <th scope="col">bar</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(estimate.parameters).map(([name, p]) => (
            <tr>
              <th scope="row">{name + unitOf(p.unit)}</th>
              <td>{formatNumber(p.initial)}</td>
              <td>{formatEstimate(p.estimate, p.standardError)}</td>
              <td>{formatStandardError(p.standardError, 'none', p.interval)}</td>
              <td>
                <Bar of={p} />
              </td>
            </tr>
          ))}
          {chosen.notable.map(([name, g]) => (
            <tr>
              <th scope="row">{name + unitOf(g.unit)}, measured</th>
              <td>
                {formatNumber(g.value)} ± {formatNumber(g.tolerance, 2)}
              </td>
              <td>{formatEstimate(g.estimate, g.standardError)}</td>
              <td>{formatStandardError(g.standardError, 'none')}</td>
              <td>
                <Bar of={{ ...g, prior: { mean: g.value, standardDeviation: g.tolerance } }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="what">
        In a bar the dot is the estimate, the line two standard errors to either side, the tick where the search
        started, and the grey band what was known before the film.
      </p>
      {others !== undefined && <p>{others}</p>}
    </section>
  );
}
