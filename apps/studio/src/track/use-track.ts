import type { TrackedFilm } from '@gradsim/film';
import type { Value } from '@gradsim/kinds';
import { useRef, useState } from 'preact/hooks';
import type { TrackSettings } from '../../../../packages/gradsim/src/track/follow.ts';
import type { TrackResult } from '../../../../packages/gradsim/src/track/tables.ts';
import { type ErrorSentence, sentenceOf } from '../work/sentence.ts';
import { settingsOf } from './settings.ts';

/** A motion that was followed, or why it was not. */
export interface FollowedTrack {
  readonly result?: TrackResult;
  readonly settings?: TrackSettings;
  readonly module?: typeof import('./follow.ts');
  readonly error?: ErrorSentence;
  /** Error of a formula, beside the result without it. */
  readonly wrongFormula?: ErrorSentence;
}

/** Follows something in a film, again whenever it is asked to. */
export function useTrack() {
  const [followed, setFollowed] = useState<FollowedTrack>({});
  const current = useRef(0);

  async function start(name: string, film: TrackedFilm, values: Readonly<Record<string, Value>>): Promise<void> {
    const own = ++current.current;
    const show = (next: FollowedTrack): void => {
      if (current.current === own) setFollowed(next);
    };
    try {
      const module = await import('./follow.ts');
      // A wrong formula takes nothing of the rest away.
      const plain = settingsOf(name, { ...values, fit: null, start: null });
      const result = module.follow(film, plain);
      try {
        const settings = settingsOf(name, values);
        show({ result: settings.fit.length > 0 ? module.follow(film, settings) : result, settings, module });
      } catch (error) {
        show({ result, settings: plain, module, wrongFormula: sentenceOf(error) });
      }
    } catch (error) {
      show({ error: sentenceOf(error) });
    }
  }
  const clear = (): void => {
    current.current++;
    setFollowed({});
  };
  return { followed, start, clear };
}
