import { relative, resolve } from 'node:path';
import { GradsimError, isGradsimError } from '@gradsim/base';
import { Command, CommanderError } from 'commander';
import { createPlugin } from './create.ts';
import { releasedVersions } from './versions.ts';

/** Output channels: for results, and for messages to the user. */
export interface Output {
  readonly print: (line: string) => void;
  readonly say: (line: string) => void;
}

/**
 * Runs the command line and returns the exit code: 0, or 1 after an error, which is one message.
 *
 * ```ts
 * process.exitCode = runProgram(['my-plugin'], { print: console.log, say: console.error });
 * ```
 */
export function runProgram(args: readonly string[], output: Output): number {
  const print = (line: string): void => output.print(printable(line));
  const say = (line: string): void => output.say(printable(line));
  const program = new Command('npm create gradsim-plugin')
    .description('Starts a plugin for gradsim: a package with a force, its tests and an experiment.')
    .argument('[name]', 'of the package: my-plugin, or @me/my-plugin')
    .option('--folder <path>', 'where its files go (default: a folder of its name)', once)
    .helpOption('--help', 'print this help')
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => say(text.trimEnd()),
    })
    .exitOverride()
    .action((name: string | undefined, { folder }: { folder?: string }) => print(create(name, folder)));
  try {
    program.parse([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // The parser has printed its own errors already, and ends with 0 after --help.
    if (error instanceof CommanderError) return error.exitCode;
    if (isGradsimError(error)) say(`${error.message} [${error.code}]`);
    else say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

/** Escapes control characters as JSON does, since a name may contain some that a terminal would interpret. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the option's value. @throws if the option was given before. */
function once(value: string, before: string | undefined): string {
  if (before !== undefined)
    throw new GradsimError('create-gradsim-plugin/option-twice', '--folder is given twice.', {
      field: '--folder',
      hint: 'Give it once.',
    });
  return value;
}

/** Writes the plugin's files, and returns text on the next steps. */
function create(name: string | undefined, given: string | undefined): string {
  if (name === undefined)
    throw new GradsimError('create-gradsim-plugin/no-name', 'The plugin needs a name.', {
      hint: 'Give one: npm create gradsim-plugin my-plugin.',
    });
  const folder = resolve(given ?? name.slice(name.lastIndexOf('/') + 1));
  const files = createPlugin({ name, folder, versions: releasedVersions() });
  const here = relative(process.cwd(), folder) || '.';
  const steps = [`cd ${here}`, 'npm install', 'npm test', 'npm run estimate'];
  return `Wrote ${name}, ${files.length} files in ${here}. Next:\n\n${steps.map((step) => `  ${step}`).join('\n')}\n\nThe force is in src/kernels.ts.`;
}
