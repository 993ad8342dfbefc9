import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Required, since Node searches CommonJS that is imported for its exports: 50 ms, an eighth of a command's start. */
export const { createJiti } = require('jiti') as typeof import('jiti');

export const { version: jitiVersion } = require('jiti/package.json') as { readonly version: string };
