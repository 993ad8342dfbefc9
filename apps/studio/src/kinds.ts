import { KINDS as OWN } from '@gradsim/kinds';
import type { KindFile, ShownKind } from '../../../packages/gradsim/src/studio/kind-file.ts';
import { SET_ELSEWHERE, TRACK } from './track-only.ts';

/** A kind that the page offers; `file` and `importFrom` are those of a kind of others. */
export type PageKind = ShownKind & {
  /** Address of its file. */
  readonly file?: string;
} & Partial<Pick<KindFile, 'importFrom'>>;

/** Kinds of experiments that the page offers: those of films that have a drawing, those of others, and none of them. */
export const KINDS: PageKind[] = [...OWN.filter(({ measures, drawing }) => 'video' in measures && drawing), TRACK];

/** Kind by its name. */
export const kindOf = (name: string): PageKind => KINDS.find((kind) => kind.name === name)!;

/**
 * Takes the kinds of others that the address of the page names, before those of gradsim: `?kind=drop` is that of the file
 * `kinds/drop.js` beside the page. Returns a sentence for each that is not there.
 */
export async function takeKinds(): Promise<string[]> {
  const names = new Set(new URLSearchParams(location.search).getAll('kind'));
  const failed: string[] = [];
  const found: PageKind[] = [];
  for (const name of names) {
    const file = new URL(`kinds/${encodeURIComponent(name)}.js`, document.baseURI).href;
    try {
      const { shown, importFrom } = (await import(/* @vite-ignore */ file)) as KindFile;
      found.push({ ...shown, file, importFrom });
    } catch {
      failed.push(`The kind ${name} is not there: ${file} cannot be loaded.`);
    }
  }
  KINDS.unshift(...found);
  return failed;
}

/** Measurements that a page cannot use, since it has no other files. */
export const MEASURES_NOT_ON_PAGES: readonly string[] = ['video', 'background', 'camera', 'up'];

/** Measurements that have one value in a page: what it draws is in pixels of the file. */
export const PAGE_VALUES = { pixels: 'all' };

/** Measurements that the page does not ask for in a field. */
export const MEASURES_NOT_ASKED: readonly string[] = [
  ...MEASURES_NOT_ON_PAGES,
  ...Object.keys(PAGE_VALUES),
  // By buttons and clicks on the film.
  ...['first', 'last', 'track', 'upright', 'without', 'retouch'],
  // By a box over the film.
  ...['corners', 'reference'],
  // By two clicks and a length.
  ...['ends', 'span'],
  ...SET_ELSEWHERE,
];

/** Field, beside the measures, that holds the frame in which corners are marked. */
export const MARKED_FRAME = 'markedFrame';

/** Middle and size of the model's outline, which is drawn over the film while the search runs. */
export { OUTLINE } from '../../../packages/gradsim/src/experiment/motion/observed.ts';
/** Distances from the middle of the model's outline to its rim, which are known at the end. */
export const REACH_FIELD = 'outlineRays.reach';
