// Bundles the scripts of gradsim's pages and writes them with the style sheets into dist/embedded, from where the command
// writes them into pages: run in packages/gradsim, after tsc.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../root.js';

const SOURCE = join(root, 'packages/gradsim/src');

/** Sources of the scripts and style sheets, by their names in the folder. @type {Readonly<Record<string, string>>} */
const SOURCES = {
  'components.css': 'components/components.css',
  'report.css': 'report/report.css',
  'study.css': 'study/page/study.css',
  'player.js': 'report/client/player.ts',
  'study.js': 'study/page/client/main.ts',
};

export const EMBEDDED = Object.keys(SOURCES);

/**
 * Text of a script or style sheet as pages contain it.
 * @param {string} name
 */
export async function textOf(name) {
  const file = join(SOURCE, SOURCES[name]);
  if (name.endsWith('.css')) return readFileSync(file, 'utf8');
  const bundle = await rolldown({ input: file, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const { code } = output[0];
  if (/<\/script|<!--/i.test(code)) throw new Error(`${file} holds what would end the script within a page.`);
  return code;
}

if (basename(process.argv[1] ?? '') === 'embed.js') {
  mkdirSync('dist/embedded', { recursive: true });
  for (const name of EMBEDDED) writeFileSync(join('dist/embedded', name), await textOf(name));
}
