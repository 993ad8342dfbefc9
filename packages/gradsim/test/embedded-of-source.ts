import { EMBEDDED, textOf } from '../../../scripts/build/embed.js';

const texts = new Map(await Promise.all(EMBEDDED.map(async (name) => [name, await textOf(name)] as const)));

/** Text of a script or style sheet of pages, bundled from source. */
export const embedded = (name: string): string => texts.get(name)!;
