import type { Film } from '@gradsim/film';
import { kindShown } from '@gradsim/kinds/define';
import { KINDS } from './list.ts';

/**
 * Name of the kind of this package that a film shows, of any scale: for a page to begin with.
 * @returns undefined where it is near to none.
 */
export const likelyKind = (film: Film): Promise<string | undefined> => kindShown(film, KINDS);
