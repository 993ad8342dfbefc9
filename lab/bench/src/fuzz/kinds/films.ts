import { type Frames, frameCount, frameLength, readFrames } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import { type Case, type Expected, type Kind, outcomeOf, WronglyAccepted } from '../kind.ts';
import { flipBytes, truncateBytes } from '../mutate.ts';
import type { FilmFile } from '../write/film-file.ts';
import { filmFile } from '../write/film-files.ts';

/** Time after which reading gives up waiting for a frame, s: less than the time limit of a case. */
const TIMEOUT = 10;

/** Films, valid or damaged, in every format that is read without the program ffmpeg, and AVI and JPEG where it is there. */
export const films: Kind = { name: 'films', limit: 3 * TIMEOUT, draw };

interface Changed {
  readonly sources: readonly Uint8Array[];
  readonly about: string;
  readonly expected: Expected;
}

async function draw(random: Draw): Promise<Case> {
  const file = await filmFile(random);
  const { sources, about, expected } = change(file, random);
  return {
    about: `${file.format} of ${file.about}: ${about}`,
    expected,
    read: () =>
      outcomeOf(async () => {
        const source = sources.length === 1 ? sources[0] : sources;
        const film = await readFrames(source, {
          channels: file.film.channels,
          frameRate: 30,
          patience: TIMEOUT,
        });
        return isAsMade(film, file);
      }),
  };
}

function change(file: FilmFile, random: Draw): Changed {
  const way = random.pick(['none', 'cut', 'flip', 'flip', 'count'] as const);
  if (way === 'none') return { sources: file.sources, about: 'whole', expected: 'valid' };
  // Of a sequence one image is changed.
  const k = random.whole(0, file.sources.length - 1);
  const swap = (bytes: Uint8Array): Uint8Array[] => file.sources.map((source, i) => (i === k ? bytes : source));
  const source = file.sources[k];
  if (way === 'cut') {
    const { bytes, about } = truncateBytes(source, random, file.essential - 1);
    return { sources: swap(bytes), about, expected: 'refused' };
  }
  if (way === 'count' && file.counts) {
    const { apply, about } = random.pick(file.counts);
    return { sources: swap(apply(source, random)), about, expected: 'refused' };
  }
  const { bytes, about } = flipBytes(source, random);
  return { sources: swap(bytes), about, expected: file.hasChecksums ? 'refused' : 'either' };
}

/** True if the film is the original, within the losses of its codec. @throws if it is not a valid film. */
function isAsMade(film: Frames, { film: made, tolerance }: FilmFile): boolean {
  if (film.data.length !== frameCount(film) * frameLength(film)) throw new WronglyAccepted('of no whole frames');
  const odd = film.data.find((value) => !(value >= 0 && value <= 1));
  if (odd !== undefined) throw new WronglyAccepted(`with the value ${odd}`);
  if (film.width !== made.width || film.height !== made.height || film.data.length !== made.data.length) return false;
  const square = film.data.reduce((sum, value, k) => sum + (value - made.data[k]) ** 2, 0);
  return Math.sqrt(square / film.data.length) <= tolerance;
}
