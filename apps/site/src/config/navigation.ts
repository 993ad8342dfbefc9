import type { DefaultTheme } from 'vitepress';
import { sitePaths, titleOf } from './pages.ts';

type Items = DefaultTheme.SidebarItem[];

/** Guides in the order in which they are read. */
const GUIDES: readonly (readonly [string, readonly string[]])[] = [
  ['Begin', ['start', 'film', 'studio', 'page', 'running']],
  ['Estimate', ['acts', 'camera', 'kind', 'poses', 'markers', 'robot', 'study', 'queue', 'dataset']],
  ['Derivatives', ['gradients', 'control', 'plugin']],
];

const linkOf = (file: string, text = titleOf(file)): Items[number] => ({ text, link: `/${sitePaths.get(file)}` });
const pagesIn = (folder: string): Items =>
  [...sitePaths.keys()]
    .filter((file) => file.startsWith(`${folder}/`) && !file.slice(folder.length + 1).includes('/'))
    .sort()
    .map((file) => linkOf(file));

const packages = [...sitePaths.keys()]
  .filter((file) => /^packages\/[^/]+\/README\.md$/.test(file))
  .sort()
  .map((file) => linkOf(file));

const visitors: Items = ['teacher', 'researcher', 'roboticist', 'graphics', 'plugin-author'].map((name) =>
  linkOf(`apps/site/src/pages/for/${name}.md`),
);

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/guide/start' },
  { text: 'Gallery', link: '/gallery' },
  // A page of its own, outside of the site's router.
  { text: 'Studio', link: '/studio/', target: '_self' },
  { text: 'Reference', link: '/reference/packages' },
  { text: 'Measured', link: '/paper' },
];

export const sidebar: DefaultTheme.Sidebar = [
  { text: 'For', collapsed: true, items: visitors },
  ...GUIDES.map(([text, names]) => ({
    text,
    items: names.map((name) => linkOf(`docs/guide/${name}.md`)),
  })),
  { text: 'Reference', collapsed: true, items: pagesIn('docs/reference') },
  { text: 'Packages', collapsed: true, items: packages },
  { text: 'Exports', collapsed: true, items: pagesIn('docs/reference/api') },
  { text: 'Measured', collapsed: true, items: [linkOf('docs/paper.md'), ...pagesIn('docs/lab')] },
];
