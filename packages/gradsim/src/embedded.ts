import { readFileSync } from 'node:fs';

/** Text of a script or style sheet of pages, which the build (scripts/build/embed.js) writes into the folder `embedded`. */
export const embedded = (name: string): string => readFileSync(new URL(`./embedded/${name}`, import.meta.url), 'utf8');
