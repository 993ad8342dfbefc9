import { fileURLToPath } from 'node:url';

/** Command-line arguments with which Node runs the process that runs trials. */
export const trialProgram = (): readonly string[] => [fileURLToPath(new URL('../../trials/main.js', import.meta.url))];
