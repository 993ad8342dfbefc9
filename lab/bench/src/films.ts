// Physical parameters from films of known truth, as one who films finds them: each by `gradsim new` and `gradsim estimate`, no
// line of code; the commands are printed. --films out/films, which `npm run -s films` makes; --kinds ball,slide of those that
// there are, or @someone/kind,./kind.ts of others; --each 12 of each kind from --first 0, --spoiled 12 of those that are spoiled. What was measured beside a film is off by the
// errors that its tolerances say, drawn by --seed 1; with --exact 1 it is exact, and told so. What is not trusted counts as
// missed. With --wrong-kinds 1 films of each kind are given to the other kinds of --asked, and a line a pair says whether they
// are trusted, and whether the right kind is named; the last line is the table of kinds against kinds.
import { resolve } from 'node:path';
import { KINDS } from '@gradsim/kinds';
import { findKind } from 'gradsim';
import { measureFilms, measureWrongKinds } from './films/measure.ts';
import { benchOptions } from './support/options.ts';

const options = await benchOptions([
  'films',
  'kinds',
  'each',
  'first',
  'spoiled',
  'seed',
  'exact',
  'wrong-kinds',
  'asked',
]);
const folder = resolve(options.text('films', 'out/films'));
const first = options.number('first', 0);
const seed = options.number('seed', 1);
const isExact = options.number('exact', 0) === 1;
const ofFilms = KINDS.filter(({ measures }) => 'video' in measures);
const called = options.text('kinds', ofFilms.map(({ name }) => name).join(',')).split(',');
const found = await Promise.all(called.map(async (name) => [name, (await findKind(name)).kind] as const));
for (const [name, { measures }] of found)
  if (!('video' in measures)) throw new Error(`--kinds takes kinds of films, and ${name} is none.`);
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${name}-${String(first + k).padStart(2, '0')}`);
const names = [
  ...found.flatMap(([, { name }]) => numbered(name, options.number('each', 12))),
  ...numbered('spoiled', options.number('spoiled', 0)),
];
if (options.number('wrong-kinds', 0) === 1) {
  const asked = options.text('asked', ofFilms.map(({ name }) => name).join(',')).split(',');
  await measureWrongKinds(
    folder,
    names,
    ofFilms.filter(({ name }) => asked.includes(name)),
  );
} else await measureFilms({ bench: 'films', folder, names, seed, isExact, kinds: new Map(found) });
options.device.dispose();
