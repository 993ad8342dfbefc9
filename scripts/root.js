import { fileURLToPath } from 'node:url';

/** Absolute path of the repository's root, with a trailing separator. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the scripts keep what they know between runs; never in the git tree. */
export const stateFolder = `${root}node_modules/.gradsim/`;
