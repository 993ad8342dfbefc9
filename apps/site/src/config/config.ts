import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { linkPages } from './links.ts';
import { navigation, sidebar } from './navigation.ts';
import { root, sitePaths, slugOf } from './pages.ts';

const require = createRequire(import.meta.url);

/** Path below which the site is served: `/` or, on GitHub Pages, that of the project. */
const base = process.env.SITE_BASE ?? '/';

/** Words of which a page's path must have one, for a build of some pages; undefined for all. */
const only = process.env.SITE_ONLY?.split(',');
const leftOut = only ? [...sitePaths.keys()].filter((file) => !only.some((word) => file.includes(word))) : [];

export default defineConfig({
  title: 'gradsim',
  description:
    'Differentiable physics and rendering in TypeScript: physical parameters from video, in a page and in Node.',
  lang: 'en',
  base,
  srcDir: root,
  srcExclude: ['*.md', 'apps/site/*.md', 'out/**', '**/template/**', '**/dist/**', '**/CHANGELOG.md', ...leftOut],
  outDir: process.env.SITE_OUT ?? join(root, 'out/site'),
  cacheDir: join(root, 'node_modules/.gradsim/site'),
  rewrites: Object.fromEntries([...sitePaths].map(([file, path]) => [file, `${path || 'index'}.md`])),
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `${base}studio/icon.svg`, type: 'image/svg+xml' }]],
  // Of a build of some pages alone, links to the others lead nowhere.
  ignoreDeadLinks: only ? true : [/^https?:\/\/(localhost|127\.)/, /^\/studio\//],
  markdown: {
    math: true,
    // The usual one has colours that are too light on its ground.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    lineNumbers: false,
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: linkPages,
  },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
  vite: {
    build: { chunkSizeWarningLimit: 4000 },
    // Pages lie outside of this folder, where nothing is installed.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: require.resolve('vue/dist/vue.runtime.esm-bundler.js') },
        {
          find: /^vue\/server-renderer$/,
          replacement: join(dirname(require.resolve('vue/package.json')), 'server-renderer/index.mjs'),
        },
      ],
    },
  },
});
