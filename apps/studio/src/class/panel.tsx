import type { JSX } from 'preact';
import { htmlPage, valueText } from '../../../../packages/gradsim/src/components/index.ts';
import { formatNumber, formatUnit } from '../../../../packages/gradsim/src/terminal/numbers.ts';
import { verdictLines } from '../answer/sentences.ts';
import { kindOf } from '../kinds.ts';
import { rulesOfPage } from '../save/report-page.ts';
import { save } from '../save/save.ts';
import { TRACK } from '../track-only.ts';
import { answersIn, classCsv, type Member, type Outcome, trustedEstimatesOf } from './members.ts';
import type { useClass } from './use-class.ts';
import './class.css';

interface ClassPanelProps {
  readonly kind: string;
  /** Answers that nobody looks for. */
  readonly notWanted: readonly string[];
  readonly room: ReturnType<typeof useClass>;
  /** Name of the film that the page shows. */
  readonly shown?: string;
  /** True once there is a form below. */
  readonly isReady: boolean;
  readonly onShow: (member: Member, outcome?: Outcome) => void;
  readonly onRun: () => void;
}

/** Films of a class: a table with a line for each, what they agree on, and what is unlike the others. */
export function ClassPanel({ kind, notWanted, room, shown, isReady, onShow, onRun }: ClassPanelProps): JSX.Element {
  const { members, absent, questions, wrong, outcomes, running, sheet, module } = room;
  const answers = kindOf(kind).answers.filter(
    (name) => !notWanted.includes(name) && members.some(({ id }) => answersIn([name], outcomes[id]).length > 0),
  );
  const agreements = answers.flatMap((name) => {
    const found = trustedEstimatesOf(name, members, outcomes);
    const agreement = module?.agreementOf(found);
    const unit = members.flatMap(({ id }) => answersIn([name], outcomes[id]))[0]?.[1].unit ?? '';
    return agreement ? [{ unknown: name, unit, ...agreement }] : [];
  });
  const unlike = new Set(agreements.flatMap(({ unlike: others }) => others.map(({ trial }) => trial)));
  const distrusted = members.filter(({ id }) => {
    const outcome = outcomes[id];
    return outcome && 'found' in outcome && !outcome.found.estimate.verdict.trusted;
  });
  const done = members.filter(({ id }) => outcomes[id]).length;
  return (
    <section class="class" aria-labelledby="class-title">
      <h2 id="class-title">
        A class of {members.length} films{sheet ? `, by ${sheet.name}` : ''}
      </h2>
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      {absent.length > 0 && (
        <p class="question">
          {absent.map(({ own, line }) => (own.video ? own.video : `line ${line} without a film`)).join(', ')}: not here
          yet. Add the films that the sheet names.
        </p>
      )}
      {questions.map((question) => (
        <p class="question">{question}</p>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a narrow page must be reached by keys. */}
      <section class="card" tabIndex={0} aria-label="Films of the class">
        <table class="parameters">
          <thead>
            <tr>
              <th scope="col">group</th>
              <th scope="col">film</th>
              {answers.map((name) => (
                <th scope="col">{name}</th>
              ))}
              <th scope="col">is it to be trusted?</th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => {
              const outcome = outcomes[member.id];
              const found = Object.fromEntries(answersIn(answers, outcome));
              return (
                <tr class={unlike.has(member.group) ? 'unlike' : undefined}>
                  <td>{member.group}</td>
                  <td>
                    <button
                      type="button"
                      aria-pressed={member.file.name === shown}
                      onClick={() => onShow(member, outcome)}
                    >
                      {outcome && 'found' in outcome ? 'Answer' : 'Show'}
                    </button>{' '}
                    {member.file.name}
                  </td>
                  {answers.map((name) => (
                    <td>
                      {found[name] && valueText(found[name])}
                      {Number.isFinite(found[name]?.standardError ?? Number.NaN) &&
                        ` ± ${formatNumber(found[name].standardError!, 2)} ${formatUnit(found[name].unit)}`}
                    </td>
                  ))}
                  <td>{statusOf(outcome, running === member.id)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {agreements.map((agreement) => (
        <p class="agreement">
          <b>{agreement.unknown}</b>
          {module!
            .agreementLine(agreement)
            .slice(agreement.unknown.length)
            .replaceAll('+-', '±')
            .replace(agreement.unit, formatUnit(agreement.unit))}
          .
        </p>
      ))}
      {distrusted.length > 0 && (
        <p>Not to be trusted, and left out: {distrusted.map(({ group }) => group).join(', ')}.</p>
      )}
      <p class="what">
        What you enter below holds for all films{sheet ? ' of which the sheet does not say it' : ''}; frames, clicks and
        strokes hold for the film that is shown.
      </p>
      <div class="class-buttons">
        {running === undefined ? (
          <button
            type="button"
            class="main"
            disabled={!isReady || kind === TRACK.name || wrong !== undefined}
            onClick={onRun}
          >
            Estimate all
          </button>
        ) : (
          <>
            <progress max={members.length} value={done} aria-label="Films estimated" />
            <button type="button" onClick={room.cancel}>
              Stop
            </button>
          </>
        )}
        <button
          type="button"
          disabled={done === 0}
          onClick={() => save('class.csv', classCsv(answers, members, outcomes))}
        >
          Table (CSV)
        </button>
        <button
          type="button"
          disabled={done === 0}
          onClick={({ currentTarget }) => save('class.html', classPage(currentTarget.closest('.class')!))}
        >
          Page (HTML)
        </button>
        <button type="button" onClick={room.close}>
          End the class
        </button>
      </div>
      {kind === TRACK.name && (
        <p class="what">A class is estimated by a kind of motion: choose one below. Films are followed one by one.</p>
      )}
    </section>
  );
}

function statusOf(outcome: Outcome | undefined, isRunning: boolean): string {
  if (isRunning) return 'is being estimated';
  if (outcome === undefined) return '';
  if ('error' in outcome) return outcome.error;
  const { estimate } = outcome.found;
  return estimate.verdict.trusted ? 'yes' : verdictLines(estimate)[0];
}

/** The table and what it says as one page without scripts. */
function classPage(panel: Element): string {
  const copy = panel.cloneNode(true) as Element;
  for (const useless of copy.querySelectorAll('button, progress, .what')) useless.remove();
  const title = `${document.querySelector('.kind.chosen')?.textContent ?? ''}: a class`;
  return htmlPage({ title, style: rulesOfPage(), body: { markup: `<main>${copy.outerHTML}</main>` } });
}
