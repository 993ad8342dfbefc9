import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { type CommandLine, drawnCommand } from '../write/command-lines.ts';
import type { Ended } from '../write/node-process.ts';
import { runGradsim } from '../write/workplace.ts';

/** Command lines of gradsim, each run in its own process. */
export const commands: Kind = { name: 'commands', limit: 90, draw };

async function draw(random: Draw): Promise<Case> {
  const line = drawnCommand(random);
  return {
    about: `gradsim ${line.args.join(' ').slice(0, 100)}${line.about ? ` (${line.about})` : ''}`,
    expected: line.names ? 'refused' : 'valid',
    names: line.names,
    read: async () => cameOfCommand(line, await runGradsim(line.args, line.files)),
  };
}

/** Classifies a finished command by its exit code and output. */
export function cameOfCommand(line: CommandLine, { code, signal, out, err }: Ended): CaseOutcome {
  const said = err.trim();
  if (signal !== null) return { what: 'broke', message: `ended by ${signal}: ${said}` };
  if (/^\s+at .*\d+:\d+\)?$/m.test(said)) return { what: 'broke', message: `a stack is printed: ${said}` };
  if (/\b(TypeError|ReferenceError)\b|Cannot read properties|is not a function|is not iterable/.test(said))
    return { what: 'broke', message: `no sentence: ${said}` };
  // What was estimated need not be trusted, and a goal need not be reached, as long as it is said.
  const isSaid = (what: string): boolean => `${said}\n${out}`.includes(what);
  if (code === 0 || (code === 3 && isSaid('Not to be trusted')) || (code === 4 && isSaid('not reached'))) {
    const isSame = line.prints === undefined || out.includes(line.prints);
    return { what: 'accepted', isSame };
  }
  // What `check` says of a file is in its line.
  const message = `${said}\n${out}`.trim();
  return code === 1 && message.length > 10
    ? { what: 'refused', message }
    : { what: 'broke', message: `exit code ${code}: ${message}` };
}
