import { relative } from 'node:path';
import type { MarkdownOptions } from 'vitepress';
import { addressOf, root } from './pages.ts';

type MarkdownRenderer = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Address of the repository's host, which the workflow of GitHub Pages knows; links to sources lead there, else they are text. */
const repository = process.env.GRADSIM_REPOSITORY;

/** Makes links between files of the repository links of the site, before VitePress checks them. */
export function linkPages(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const own = relative(root, String(env.realPath ?? env.path)).replaceAll('\\', '/');
    for (const token of tokens) {
      const { children } = token;
      // Whole files of declarations: coloured they would take half of the site.
      if (own.startsWith('docs/reference/api/') && token.type === 'fence') token.info = 'text';
      let isText = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const address = addressOf(own, token.attrGet('href') ?? '', repository);
          isText = address === undefined;
          if (address !== undefined) token.attrSet('href', address);
          if (address === '/studio/') token.attrSet('target', '_self');
        }
        if (isText && (token.type === 'link_open' || token.type === 'link_close')) {
          if (token.type === 'link_close') isText = false;
          Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null });
        }
      }
    }
  });
}
