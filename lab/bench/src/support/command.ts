import { fileURLToPath } from 'node:url';

/** Path of the built program `gradsim`. */
export const COMMAND = fileURLToPath(new URL('../../../../packages/gradsim/dist/main.js', import.meta.url));
