// docs/reference/kinds.md, from the kinds of experiments and the README in the folder of each: `node scripts/docs/kinds.js` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../root.js';

/** @typedef {import('../../packages/kinds/src/index.ts').Kind} Kind */
/** @typedef {import('../../packages/kinds/src/index.ts').Measure} Measure */

export const PAGE = join(root, 'docs/reference/kinds.md');

const HEAD = `# Kinds of experiments

What \`gradsim new KIND\` writes an experiment for: what each kind finds, its settings, \`--set NAME=VALUE\`, and what it expects of its film.
[A film of your own](../guide/film.md) goes through the steps, [a kind of your own](../guide/kind.md) makes another. Lengths are in metres, y points up, the
floor is y = 0. A setting without a default must be given, unless one of those in brackets is. Written by \`node scripts/docs/kinds.js\`.
`;

/**
 * The page of all kinds.
 * @param {readonly Kind[]} kinds
 */
export function pageOf(kinds) {
  const ofFilms = kinds.filter(({ measures }) => 'video' in measures);
  const [first] = ofFilms;
  const shared = Object.keys(first.measures).filter((name) =>
    ofFilms.every(({ measures }) => name in measures && rowOf(name, measures) === rowOf(name, first.measures)),
  );
  // Rows that are the same in several kinds are written once, of each name the one of most kinds.
  const rows = ofFilms.flatMap(({ measures }) =>
    Object.keys(measures)
      .filter((name) => !shared.includes(name))
      .map((name) => rowOf(name, measures)),
  );
  /** @param {string} row */
  const count = (row) => rows.filter((other) => other === row).length;
  /** @type {Map<string, string>} */
  const usual = new Map();
  for (const row of rows.filter((each) => count(each) >= SEVERAL)) {
    const name = row.slice(0, row.indexOf(' | '));
    if (count(row) > count(usual.get(name) ?? '')) usual.set(name, row);
  }
  const usualRows = [...usual.values()];
  const sections = kinds.map((kind) => {
    const isOfFilm = 'video' in kind.measures;
    const asked = Object.keys(kind.measures).filter((name) => !(isOfFilm && shared.includes(name)));
    const own = asked.filter((name) => !(isOfFilm && usualRows.includes(rowOf(name, kind.measures))));
    const others = asked.filter((name) => !own.includes(name)).map((name) => `\`${name}\``);
    const meanings = Object.entries(kind.meaning).map(([name, what]) => `\`${name}\` is ${what}`);
    return `## ${kind.name}

**${kind.title}.** Finds ${kind.finds}: ${meanings.join('; ')}.${kind.note ? ` ${kind.note}` : ''}

${own.length > 0 ? tableOf(kind.measures, own) : ''}

${others.length > 0 ? `[As several kinds](#settings-of-several-kinds): ${others.join(', ')}.` : ''}

${textOf(kind.name)}`;
  });
  return `${[
    HEAD,
    '## Settings of all films',
    tableOf(first.measures, shared),
    'A camera from a file counts as exact.',
    '## Settings of several kinds',
    [...TABLE_HEAD, ...usualRows].join('\n'),
    ...sections,
    'How close the answers are to known truths is in [known films](../lab/known-films.md).',
  ]
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')}\n`;
}

/** Number of kinds from which a setting is written once for all. */
const SEVERAL = 3;

/** @param {Kind['measures']} measures @param {readonly string[]} names */
const tableOf = (measures, names) => [...TABLE_HEAD, ...names.map((name) => rowOf(name, measures))].join('\n');

const TABLE_HEAD = ['| | | Default |', '| --- | --- | --- |'];

/** @param {string} name @param {Kind['measures']} measures */
const rowOf = (name, measures) =>
  `| \`${measures[name].option ?? name}\` | ${cell(measures[name].what)} | ${defaultOf(measures[name])} |`;

/** @param {Measure} measure */
function defaultOf({ default: own, unless, type }) {
  const words = typeof type === 'object' ? ` (${type.join(', ')})` : '';
  if (own !== undefined) return `${own === null ? 'not known' : Array.isArray(own) ? own.join(',') : own}${words}`;
  return unless ? `required (\`${unless.join('`, `')}\`)` : 'required';
}

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** Text of a kind's README, with links as seen from the page. @param {string} name */
function textOf(name) {
  const file = join(root, 'packages/kinds/src', name, 'README.md');
  return readFileSync(file, 'utf8')
    .replace(/^# .*\n+/, '')
    .trim()
    .replace(/\]\((\.\.?\/[^)]*)\)/g, (_, path) => `](${relative(dirname(PAGE), join(dirname(file), path))})`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // As built: types are checked without.
  const { KINDS } = await import(new URL('../../packages/kinds/dist/index.js', import.meta.url).href);
  writeFileSync(PAGE, pageOf(KINDS));
}
