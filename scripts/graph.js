// The picture of packages in docs/reference/architecture.md, from their package.json files: `npm run graph` renews it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from './packages.js';
import { root } from './root.js';

/** The page with the picture. */
export const page = join(root, 'docs/reference/architecture.md');

/** Packages of which the picture says nothing: all or nobody needs them. */
const LEFT_OUT = ['base', 'create-gradsim', 'create-gradsim-plugin', 'gradsim'];

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

/** The page with its picture renewed: an arrow for each need that does not follow from others. */
export function renewedPage() {
  const graph = needs();
  const arrows = [...graph].flatMap(([from, needed]) =>
    [...needed]
      .filter((to) => ![...needed].some((other) => other !== to && reaches(graph, other, to)))
      .map((to) => `  ${from} --> ${to}`),
  );
  const picture = ['```mermaid', 'graph TD', ...arrows.sort(), '```'].join('\n');
  return readFileSync(page, 'utf8').replace(/^```mermaid\n.*?^```$/ms, picture);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, renewedPage());
