// The picture of packages in docs/reference/architecture.md, from their package.json files, laid out by Graphviz: `npm run graph`
// renews it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';

/** The picture. */
export const file = join(root, 'docs/packages.svg');

/** Packages of which the picture says nothing: all or nobody needs them. */
const LEFT_OUT = ['base', 'create-gradsim', 'gradsim'];

/** What each package needs of the others. @returns {Map<string, Set<string>>} */
function needs() {
  const short = (/** @type {string} */ name) => name.replace('@gradsim/', '');
  const packages = publishedPackages().filter(({ name }) => !LEFT_OUT.includes(short(name)));
  const names = new Set(packages.map(({ name }) => name));
  return new Map(
    packages.map(({ name, folder }) => {
      const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const needed = Object.keys({ ...dependencies, ...peerDependencies }).filter((other) => names.has(other));
      return [short(name), new Set(needed.map(short))];
    }),
  );
}

/**
 * Whether a package needs another, by whatever others.
 * @param {Map<string, Set<string>>} graph @param {string} from @param {string} to @returns {boolean}
 */
const reaches = (graph, from, to) =>
  [...(graph.get(from) ?? [])].some((next) => next === to || reaches(graph, next, to));

/** An SVG picture: an arrow for each need that does not follow from others. */
export async function picture() {
  const graph = needs();
  const arrows = [...graph].flatMap(([from, needed]) =>
    [...needed]
      .filter((to) => ![...needed].some((other) => other !== to && reaches(graph, other, to)))
      .map((to) => `"${from}" -> "${to}"`),
  );
  const dot = `digraph packages {
    bgcolor=white nodesep=0.15 ranksep=0.45 fontname="sans-serif"
    node [shape=box style="rounded,filled" fillcolor="#eef3f8" color="#789" fontname="sans-serif" fontsize=12 height=0.3 margin="0.18,0.03"]
    edge [color="#567" arrowsize=0.6]
    ${arrows.sort().join('\n')}
  }`;
  const drawn = (await instance()).renderString(dot, { format: 'svg' });
  return drawn.replace(/^.*?(<svg[^>]*>)/s, '$1\n<title>Packages, and what they depend on</title>');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, await picture());
