import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { motionSection } from '../../../../packages/gradsim/src/components/index.ts';
import { curvesOf, type Motion } from '../../../../packages/gradsim/src/experiment/motion/motion.ts';
import type { Course as Seen } from '../../../../packages/gradsim/src/track/course.ts';
import { type ErrorSentence, sentenceOf } from '../work/sentence.ts';
import { Formulas } from './formulas.tsx';
import { Graphs } from './graphs.tsx';
import { formulasIn } from './settings.ts';
import './track.css';

interface CourseProps {
  readonly motion: Motion;
  readonly mass?: number;
  readonly turns?: boolean;
}

interface Shown {
  readonly seen?: Seen;
  readonly module?: typeof import('./follow.ts');
  readonly error?: ErrorSentence;
}

/** Motion that the film of an answer shows: a formula to fit, graphs, and the table. */
export function Course({ motion, mass, turns }: CourseProps): JSX.Element | null {
  const [texts, setTexts] = useState({ fit: '', start: '' });
  const [{ seen, module, error }, show] = useState<Shown>({});
  useEffect(() => {
    let isCurrent = true;
    void import('./follow.ts').then((loaded) => {
      if (!isCurrent) return;
      try {
        const { seen, wrong } = loaded.courseIn(motion, { mass, turns, ...formulasIn(texts.fit, texts.start) });
        show({ module: loaded, seen, ...(wrong.length === 0 ? {} : { error: sentenceOf(wrong[0]) }) });
      } catch (wrong) {
        // A start that is no number takes nothing of the rest away.
        show((now) => ({ ...now, error: sentenceOf(wrong) }));
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [motion, texts]);
  if (!module) return null;
  if (!seen) return <Graphs of={motionSection(curvesOf(motion))} class="motion" />;
  return (
    <section class="course" aria-label="What the film shows">
      <Formulas
        {...texts}
        columns={seen.motion.columns.map(({ name }) => name)}
        error={error}
        onFit={(fit, start) => setTexts({ fit, start })}
      />
      {seen.fits.map((fit) => (
        <Graphs of={module.fitSection(fit, seen)} class="fit" />
      ))}
      <Graphs of={module.trackMotion(seen)} class="seen-motion" />
    </section>
  );
}
