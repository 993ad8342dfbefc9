// Size of the script of the smallest page with one rigid body, by esbuild: compressed, and minified by part, with imports
// from the single packages and from the package gradsim.
import { sizeOfPage } from '@gradsim/page/size';
import { print } from './support/options.ts';

for (const [core, rigid] of [
  ['@gradsim/core', '@gradsim/rigid'],
  ['gradsim/core', 'gradsim/physics'],
] as const)
  print({ bench: 'page-size', imports: [core, rigid], ...(await sizeOfPage(core, rigid)) });
