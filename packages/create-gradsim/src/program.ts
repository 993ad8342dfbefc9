import { relative, resolve } from 'node:path';
import { GradsimError, isGradsimError } from '@gradsim/base';
import { Command, CommanderError } from 'commander';
import { create } from './create.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';
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
 * process.exitCode = runProgram(['node', 'my-script'], { print: console.log, say: console.error });
 * ```
 */
export function runProgram(args: readonly string[], output: Output): number {
  const print = (line: string): void => output.print(printable(line));
  const say = (line: string): void => output.say(printable(line));
  const program = new Command('npm create gradsim')
    .description('Starts a project with gradsim.')
    .argument('[template]', 'what to start')
    .argument('[name]', 'of the package: my-project, or @me/my-project')
    .option('--folder <path>', 'where its files go (default: a folder of its name)', once)
    .helpOption('--help', 'print this help')
    .addHelpText('after', `\nTemplates:\n${list()}`)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => say(text.trimEnd()),
    })
    .exitOverride();
  program.action((template?: string, name?: string) => {
    print(start(template, name, program.opts<{ folder?: string }>().folder));
  });
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
    throw new GradsimError('create-gradsim/option-twice', '--folder is given twice.', {
      field: '--folder',
      hint: 'Give it once.',
    });
  return value;
}

/** Lines of all templates. */
const list = (): string =>
  Object.entries(TEMPLATES)
    .map(([name, { what }]) => `  ${name.padEnd(12)}${what}`)
    .join('\n');

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

/** Writes the project's files, and returns text on the next steps. */
function start(template: string | undefined, name: string | undefined, given: string | undefined): string {
  const hint = `The template comes first, then a name, as in: npm create gradsim vite my-page. There are:\n${list()}`;
  if (template === undefined)
    throw new GradsimError('create-gradsim/no-template', 'What to start is not said.', { hint });
  if (!isTemplate(template))
    throw new GradsimError('create-gradsim/template-unknown', `There is no template "${template}".`, { hint });
  const { placeholder, steps, next, what } = TEMPLATES[template];
  if (name === undefined)
    throw new GradsimError('create-gradsim/no-name', `${what[0].toUpperCase()}${what.slice(1)} needs a name.`, {
      hint: `Give one: npm create gradsim ${template} ${placeholder}.`,
    });
  const folder = resolve(given ?? name.slice(name.lastIndexOf('/') + 1));
  const files = create({ template, name, folder, versions: releasedVersions() });
  const here = relative(process.cwd(), folder) || '.';
  const commands = [`cd ${here}`, 'npm install', ...steps];
  return `Wrote ${name}, ${files.length} files in ${here}. Next:\n\n${commands.map((each) => `  ${each}`).join('\n')}\n\n${next}`;
}
