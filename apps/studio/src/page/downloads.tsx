import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Motion } from '../../../../packages/gradsim/src/experiment/motion/motion.ts';
import { sessionText } from '../answer/session.ts';
import { csvOf, experimentFolderOf, fileNameOf, jsonOf } from '../answer/take-along.ts';
import type { FormTexts } from '../form/texts.ts';
import { kindOf } from '../kinds.ts';
import type { Found } from '../run/run.ts';
import { HandIn } from '../save/hand-in.tsx';
import { save } from '../save/save.ts';
import type { Pictures } from '../work/film-messages.ts';
import type { StudioSettings } from '../work/problem-messages.ts';

interface DownloadsProps {
  readonly found: Found;
  readonly motion: Motion | null;
  readonly settings: StudioSettings;
  readonly fields: FormTexts;
  readonly pictures: Pictures;
}

/** Buttons that save the result: session, curves, numbers, and the experiment's folder for the command line. */
export function Downloads({ found, motion, settings, fields, pictures }: DownloadsProps): JSX.Element {
  const [error, setError] = useState('');
  const { kind, file, measured } = settings;
  // Package of a kind of others; none for one in a file.
  const [own = ''] = /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/|$)/.exec(kindOf(kind).importFrom?.from ?? '') ?? [];
  const stem = fileNameOf(file).replace(/\.\w+$/, '');
  const folder = async (): Promise<void> => {
    try {
      save(`${stem}-${kind}.zip`, await experimentFolderOf(kind, measured, file));
    } catch {
      setError(`The film ${file.name} cannot be read any more: choose it again.`);
    }
  };
  return (
    <section class="downloads">
      <h3>Take it along</h3>
      <div>
        <HandIn title={`${kindOf(kind).title}: ${file.name}`} {...{ stem, pictures }} />
        {motion && (
          <button type="button" onClick={() => save(`${stem}.csv`, csvOf(motion))}>
            Curves (CSV)
          </button>
        )}
        <button type="button" onClick={() => save(`${stem}.json`, jsonOf(found.estimate, found.notes))}>
          All numbers (JSON)
        </button>
        <button
          type="button"
          onClick={() => save(`${stem}-session.json`, sessionText({ film: file.name, kind, fields }))}
        >
          Session
        </button>
        <button type="button" onClick={folder}>
          Folder for the command line (ZIP)
        </button>
      </div>
      <p class="what">
        In the folder, <code>npm install gradsim {own}</code> and{' '}
        <code>npx gradsim estimate {kind}.ts --device cpu</code> give the same numbers, to the digits shown.
      </p>
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
