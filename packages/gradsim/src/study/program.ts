import { fileURLToPath } from 'node:url';

/** Arguments of Node for the process that runs trials. */
export const trialProgram = (): readonly string[] => [fileURLToPath(new URL('../trials/main.js', import.meta.url))];
