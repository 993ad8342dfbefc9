import type { TrackedFilm } from '@gradsim/film';
import type { JSX } from 'preact';
import { sessionText } from '../answer/session.ts';
import { fileNameOf } from '../answer/take-along.ts';
import type { FormTexts } from '../form/texts.ts';
import { HandIn } from '../save/hand-in.tsx';
import { save } from '../save/save.ts';
import { TRACK } from '../track-only.ts';
import type { Pictures } from '../work/film-messages.ts';
import { Formulas } from './formulas.tsx';
import { Graphs } from './graphs.tsx';
import type { FollowedTrack } from './use-track.ts';
import './track.css';

interface TrackAnswerProps {
  readonly followed: Required<Pick<FollowedTrack, 'result' | 'settings' | 'module'>> & FollowedTrack;
  readonly film: TrackedFilm;
  readonly file: File;
  readonly fields: FormTexts;
  readonly pictures: Pictures;
  readonly player: JSX.Element;
  readonly onFit: (fit: string, start: string) => void;
}

/** Motion of what was followed: formulas, graphs and the table, as the page of `gradsim track` has them. */
export function TrackAnswer({ followed, film, file, fields, pictures, player, onFit }: TrackAnswerProps): JSX.Element {
  const { result, settings, module, wrongFormula } = followed;
  const stem = fileNameOf(file).replace(/\.\w+$/, '');
  return (
    <section class="answer tracked" aria-labelledby="answer-title">
      <h2 id="answer-title">Motion</h2>
      <div class="number trusted">
        <div dangerouslySetInnerHTML={{ __html: module.trackFacts(result).markup }} />
        <Formulas
          {...{ fit: fields.fit ?? '', start: fields.start ?? '', onFit }}
          columns={result.motion.columns.map(({ name }) => name)}
          error={wrongFormula}
        />
      </div>
      {player}
      {result.fits.map((fit) => (
        <Graphs of={module.fitSection(fit, result)} class="fit" />
      ))}
      <Graphs of={module.trackMotion(result)} class="motion" />
      <section class="downloads">
        <h3>Take it along</h3>
        <div>
          <HandIn title={file.name} {...{ stem, pictures }} />
          <button type="button" onClick={() => save(`${stem}.csv`, module.motionCsv(result))}>
            Table (CSV)
          </button>
          <button
            type="button"
            onClick={() => save(`${stem}.trk`, module.projectOf(result, film, settings, file.name))}
          >
            Project of Tracker (.trk)
          </button>
          <button
            type="button"
            onClick={() => save(`${stem}.json`, `${JSON.stringify(module.summaryOf(result), null, 2)}\n`)}
          >
            All numbers (JSON)
          </button>
          <button
            type="button"
            onClick={() => save(`${stem}-session.json`, sessionText({ film: file.name, kind: TRACK.name, fields }))}
          >
            Session
          </button>
        </div>
      </section>
    </section>
  );
}
