// Links of all Markdown pages: the file is in the repository, and has the heading that an anchor names.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../root.js';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const files = new Set(listed.split('\n').filter((file) => existsSync(join(root, file))));
const folders = new Set([...files].flatMap(parents));
const pages = [...files].filter((file) => file.endsWith('.md') && !file.startsWith('.changeset/'));

/** All folders above a file, relative to the root. */
function parents(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, depth) => parts.slice(0, depth).join('/') || '.');
}

/** Text of a page without its code blocks and comments. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replace(/^(```+)[^\n]*\n.*?^\1$/gms, '')
    .replace(/^<!--.*?-->$/gms, '');

/** Anchors of a page, as GitHub makes them: lower case, without punctuation, numbered where a heading comes again. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(page).matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** Problem of a link of a page, if it has one. */
function flawOfLink(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path, anchor] = link.split('#') as [string, string?];
  const target = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '');
  if (!files.has(target) && !folders.has(target)) return `${page}: ${link} is no file of the repository`;
  if (anchor === undefined) return undefined;
  if (!target.endsWith('.md') || statSync(join(root, target)).isDirectory())
    return `${page}: ${link} has an anchor, but is no page`;
  return anchorsOf(target).has(anchor) ? undefined : `${page}: ${link} names no heading of ${target}`;
}

/** Links and pictures of a page: `](target)`, `src="target"`, `href="target"`. */
function linksOf(page: string): string[] {
  const text = proseOf(page).replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, link, attribute]) => (link ?? attribute)!,
  );
}

it('every relative link of a page leads to a file or heading of the repository', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(200);
  expect(links.map(({ page, link }) => flawOfLink(page, link)).filter(Boolean)).toEqual([]);
});

it('every page of docs is linked from the README, a page of docs or a README of a package', () => {
  const linked = new Set(
    pages.flatMap((page) => linksOf(page).map((link) => normalize(join(dirname(page), link.split('#')[0]!)))),
  );
  // A folder that is linked stands for all in it.
  const isLinked = (page: string): boolean => linked.has(page) || linked.has(dirname(page));
  expect(pages.filter((page) => page.startsWith('docs/') && !isLinked(page))).toEqual([]);
});
