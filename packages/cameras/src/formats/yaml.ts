import { GradsimError } from '@gradsim/base';
import type { Entries } from './matrices.ts';
import { parseDocument, visit } from './yaml-library.ts';

/**
 * Maximum length of a file, in characters: about three times that of an OpenCV file with the corners of a hundred
 * views.
 */
const MAX_FILE_LENGTH = 500_000;
/** Maximum number of aliases: resolving them takes quadratic time, and camera files have none. */
const MAX_ALIASES = 100;

/**
 * Parses the entries of a YAML file. OpenCV writes `%YAML:1.0`, which is not valid YAML, and tags its matrices; both
 * are removed first.
 * @throws for invalid YAML, with its line; for a name that occurs twice, a file that is too long or nested too deep,
 * more than 100 aliases, and aliases that expand to more than 100 times what is written.
 */
export function yamlMatrices(text: string, label: string): Entries {
  try {
    return entriesOf(firstDocument(text), label);
  } catch (error) {
    // The library walks nested content recursively.
    if (error instanceof RangeError)
      throw new GradsimError('cameras/file-invalid', `${label} is no camera file: it is nested too deep.`);
    throw error;
  }
}

/** The first of several documents, as `rostopic echo` and `ros2 topic echo` print messages: each ends with `---`. */
function firstDocument(text: string): string {
  const begin = /^(?:\s|#[^\n]*\n|%[^\n]*\n)*(?:---[^\S\n]*\n)?/.exec(text)?.[0].length ?? 0;
  const end = text.slice(begin).search(/^(?:---|\.\.\.)[^\S\n]*\r?$/m);
  return end < 0 ? text : text.slice(0, begin + end);
}

/** Maximum depth of lists in brackets, and maximum length of what begins a line before its content. */
const MAX_LIST_DEPTH = 100;
const MAX_LINE_PREFIX = 400;

/**
 * Refuses a text that is nested too deep before it is parsed: the library is recursive, and a stack that is full while a
 * regular expression is compiled ends the process.
 */
function refuseDeep(text: string, label: string): void {
  let depth = 0;
  let deepest = 0;
  for (const character of text)
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
  const isDeep = (line: string): boolean =>
    line.slice(0, MAX_LINE_PREFIX + 1).search(/[^\s?:-]/) < 0 && line.trim() !== '';
  if (deepest > MAX_LIST_DEPTH || text.split('\n').some((line) => line.length > MAX_LINE_PREFIX && isDeep(line)))
    throw new GradsimError('cameras/file-invalid', `${label} is no camera file: it is nested too deep.`);
}

function entriesOf(text: string, label: string): Entries {
  if (text.length > MAX_FILE_LENGTH)
    throw new GradsimError(
      'cameras/file-invalid',
      `${label} has ${text.length} characters; a camera file in YAML may have ${MAX_FILE_LENGTH}.`,
      { hint: 'Leave out the views that it was calibrated from.' },
    );
  refuseDeep(text, label);
  const plain = text.replace(/^(\s*)%YAML[^\n]*/, '$1').replaceAll(/!!opencv-[\w-]+/g, '');
  // The library's check of keys and its messages with lines take quadratic time; both are done here.
  const document = parseDocument(plain, {
    version: '1.2',
    logLevel: 'error',
    prettyErrors: false,
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error) {
    const line = plain.slice(0, error.pos[0]).split('\n').length;
    const [reason] = error.message.split('\n');
    throw new GradsimError(
      'cameras/file-invalid',
      `${label}, line ${line}: this is no YAML: ${error.code === 'RESOURCE_EXHAUSTION' ? 'it is nested too deep' : reason}`,
    );
  }
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases++;
    },
    Map: (_, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        const name = String(key);
        if (names.has(name)) throw new GradsimError('cameras/file-invalid', `${label} has the entry ${name} twice.`);
        names.add(name);
      }
    },
  });
  if (aliases > MAX_ALIASES)
    throw new GradsimError(
      'cameras/file-invalid',
      `${label} has ${aliases} aliases (*name); a camera file may have ${MAX_ALIASES}.`,
    );
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (reason) {
    if (reason instanceof RangeError) throw reason;
    // A ReferenceError of the library: an alias without its anchor, or far more content than was written.
    throw new GradsimError(
      'cameras/file-invalid',
      `${label} cannot be read: ${reason instanceof Error ? reason.message : String(reason)}.`,
    );
  }
  if (typeof data !== 'object' || data === null)
    throw new GradsimError('cameras/file-invalid', `${label} has no entries.`);
  return data as Entries;
}
