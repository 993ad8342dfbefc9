// docs/reference/kinds.md, from the kinds of experiments and the README in the folder of each: `node scripts/kinds.js` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './root.js';

/** @typedef {import('../packages/kinds/src/index.ts').Kind} Kind */
/** @typedef {import('../packages/kinds/src/index.ts').Measure} Measure */

export const PAGE = join(root, 'docs/reference/kinds.md');

const HEAD = `# Kinds of experiments

What \`gradsim new KIND\` writes an experiment for: what each kind finds, its settings, \`--set NAME=VALUE\`, and what it expects of its film.
[A film of your own](../guide/film.md) goes through the steps, [a kind of your own](../guide/kind.md) makes another. Lengths are in metres, y points up, the
floor is y = 0. A setting without a default must be given, unless one of those in brackets is. Written by \`node scripts/kinds.js\`.
`;

/**
 * The page of all kinds.
 * @param {readonly Kind[]} kinds
 */
export function pageOf(kinds) {
  const ofFilms = kinds.filter(({ measures }) => 'video' in measures);
  const [first] = ofFilms;
  const shared = Object.keys(first.measures).filter((name) =>
    ofFilms.every(
      ({ measures }) =>
        measures[name]?.what === first.measures[name].what && isAlike(measures[name], first.measures[name]),
    ),
  );
  const sections = kinds.map((kind) => {
    const own = Object.keys(kind.measures).filter((name) => !('video' in kind.measures && shared.includes(name)));
    const meanings = Object.entries(kind.meaning).map(([name, what]) => `\`${name}\` is ${what}`);
    return `## ${kind.name}

**${kind.title}.** Finds ${kind.finds}: ${meanings.join('; ')}.${kind.note ? ` ${kind.note}` : ''}

${tableOf(kind.measures, own)}

${textOf(kind.name)}`;
  });
  return `${[
    HEAD,
    '## Settings of all films',
    tableOf(first.measures, shared),
    'A camera from a file counts as exact.',
    ...sections,
    'How close the answers are to known truths is in [known films](../lab/known-films.md).',
  ]
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')}\n`;
}

/** @param {Measure} a @param {Measure} b */
const isAlike = (a, b) => JSON.stringify([a.default, a.unless]) === JSON.stringify([b.default, b.unless]);

/** @param {Kind['measures']} measures @param {readonly string[]} names */
const tableOf = (measures, names) =>
  [
    '| | | Default |',
    '| --- | --- | --- |',
    ...names.map(
      (name) =>
        `| \`${measures[name].option ?? name}\` | ${cell(measures[name].what)} | ${defaultOf(measures[name])} |`,
    ),
  ].join('\n');

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
  const { KINDS } = await import(new URL('../packages/kinds/dist/index.js', import.meta.url).href);
  writeFileSync(PAGE, pageOf(KINDS));
}
