// Physical parameters from films of known truth whose frames lie at uneven times: dropped, of a rate that changes, with jitter,
// and all at once, one after another; kinds in turns. Each by `gradsim new` and `gradsim estimate`, as in `bench -- films`. --count 20,
// --first 0, --seed 1; --kinds ball,pendulum. Films go to --films out/stamps, and those that are there are kept; they are made in
// Chromium and by ffmpeg.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { drawTake } from '@gradsim/films/draw-take';
import { UNEVEN_KINDS } from '@gradsim/films/draw-times';
import { makeFilm } from '@gradsim/films/make-film';
import { createPhotographer } from '@gradsim/films/photograph';
import { KINDS, type Kind } from '@gradsim/films/take';
import { measureFilms } from './films/measure.ts';
import { benchOptions } from './support/options.ts';

const options = await benchOptions(['films', 'kinds', 'count', 'first', 'seed', 'exact']);
const folder = resolve(options.text('films', 'out/stamps'));
const seed = options.number('seed', 1);
const first = options.number('first', 0);
const kinds = options.text('kinds', KINDS.join(',')).split(',') as Kind[];
for (const kind of kinds)
  if (!KINDS.includes(kind as never)) throw new Error(`--kinds takes ${KINDS.join(', ')}, not ${kind}.`);
const chromium = process.env.GRADSIM_CHROMIUM;
if (!chromium) throw new Error('Films are made in Chromium: set GRADSIM_CHROMIUM to its path.');

/** All kinds in turns, in every turn in another way. */
const films = Array.from({ length: options.number('count', 20) }, (_, k) => {
  const number = first + k;
  const [turn, at] = [Math.floor(number / kinds.length), number % kinds.length];
  const [kind, way] = [kinds[at], UNEVEN_KINDS[(turn + at) % UNEVEN_KINDS.length]];
  return { kind, way, number, name: `${kind}-${way}-${seed}-${String(number).padStart(2, '0')}` };
});
await mkdir(folder, { recursive: true });
const photographer = await createPhotographer(chromium);
try {
  for (const { kind, way, number, name } of films)
    if (!existsSync(join(folder, `${name}.json`)))
      await makeFilm(folder, name, drawTake(kind, number, seed, way), photographer);
} finally {
  await photographer.dispose();
}
const names = films.map(({ name }) => name);
await measureFilms({ bench: 'stamps', folder, names, seed, isExact: options.number('exact', 0) === 1 });
options.device.dispose();
