import { fileURLToPath } from 'node:url';

/** The file that the decoder's process runs. */
export const decoderProgram = (): string => fileURLToPath(new URL('./main.js', import.meta.url));
