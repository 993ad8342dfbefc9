import { GradsimError } from '@gradsim/core';

/** Most rows of a table that is read out of another format: over an hour at 1000 Hz. */
export const MOST_ROWS = 5_000_000;

/** Error of a file that its reader cannot read on. */
export function damagedFile(
  name: string,
  format: string,
  cause: unknown,
  hint = 'Copy or export it again.',
): GradsimError {
  const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0].replace(/[.\s]+$/, '');
  return new GradsimError('recordings/file-damaged', `${name} cannot be read as ${format}: ${reason.slice(0, 300)}.`, {
    hint,
    cause,
  });
}

/** Error of a file with more than is read. */
export const tooLarge = (name: string, part: string): GradsimError =>
  new GradsimError('recordings/file-too-large', `${name} has ${part}.`, { hint: 'Cut a shorter piece out of it.' });

/** Error of a part that is there but not read. */
export const notRead = (name: string, part: string, reason: string, hint: string): GradsimError =>
  new GradsimError('recordings/part-not-read', `${name}: ${part} ${reason}.`, { hint });

/**
 * Loads an optional package. Its name is no constant where it is imported, so that bundlers do not ask for it.
 * @throws with the command that installs what a format needs, if it is not there.
 */
export async function optionalPackages<T>(name: string, format: string, packages: readonly string[]): Promise<T> {
  try {
    return await import(name);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isAbsent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw new GradsimError(
      'recordings/package-missing',
      isAbsent
        ? `${format} takes packages that gradsim does not bring, and ${name} is not installed.`
        : `The package ${name}, which ${format} takes, does not load: ${message.split('\n')[0]}.`,
      { hint: `Install them beside gradsim: npm install ${packages.join(' ')}`, cause },
    );
  }
}
