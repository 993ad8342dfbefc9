import { fileURLToPath } from 'node:url';

/** Returns the path of the program that the decoder process runs. */
export const decoderProgram = (): string => fileURLToPath(new URL('./main.js', import.meta.url));
