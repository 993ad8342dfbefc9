import { fileURLToPath } from 'node:url';

/** Returns the path of the decoder process's program. */
export const decoderProgram = (): string => fileURLToPath(new URL('./main.js', import.meta.url));
