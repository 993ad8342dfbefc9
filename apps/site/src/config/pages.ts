import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository, whose Markdown files are the pages: nothing is copied. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Folders of the repository whose pages are shown, and where on the site. Longer paths come first. */
const PAGE_FOLDERS: readonly (readonly [folder: string, place: string])[] = [
  ['apps/site/src/pages', ''],
  ['docs', ''],
  ['packages', 'packages'],
  ['apps/examples', 'examples'],
  ['lab', 'lab/programs'],
];

const isShown = (file: string): boolean =>
  file.endsWith('.md') &&
  !file.endsWith('CHANGELOG.md') &&
  !file.includes('node_modules') &&
  !file.includes('/template/') &&
  !file.includes('/dist/');

/** Path on the site, without ending, of each page of the repository. */
export const sitePaths: ReadonlyMap<string, string> = new Map(
  PAGE_FOLDERS.flatMap(([folder, place]) =>
    markdownIn(folder)
      .filter(isShown)
      .map((file): [string, string] => [file, join(place, relative(folder, file)).replace(/(\/README)?\.md$/, '')]),
  ),
);

/** Markdown files in a folder, two folders deep; kinds and packages have theirs no deeper. */
function markdownIn(folder: string, depth = 0): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' || depth > 3 ? [] : markdownIn(path, depth + 1);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Title of a page: its first heading. */
export function titleOf(file: string): string {
  const [, title = file] = /^# +(.*)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  return title.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/**
 * Address of what a page links to: a path of the site with its leading slash, an address in the repository's own host, or
 * undefined where there is no such host.
 */
export function addressOf(file: string, link: string, repository: string | undefined): string | undefined {
  if (/^[a-z]+:|^\/|^#/.test(link)) return link;
  const [path, anchor] = link.split('#') as [string, string?];
  const target = normalize(join(dirname(file), path)).replace(/\/$/, '');
  const page = [target, `${target}/README.md`].find((each) => sitePaths.has(each));
  if (page) return `/${sitePaths.get(page)}${anchor ? `#${anchor}` : ''}`;
  // Beside the pages, with a router of its own.
  if (target === 'apps/studio') return '/studio/';
  // The folder of the pages of exports stands for its first one.
  if (target === 'docs/reference/api') return '/reference/api/core';
  if (!existsSync(join(root, target))) throw new Error(`${file} links to ${link}, which is not there.`);
  return repository && `${repository}/tree/main/${target}`;
}

/** Anchor of a heading, as GitHub makes it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
