import { GradsimError } from '@gradsim/core';
import { messageOf } from './describe.ts';

let isEndedHere = false;

/** Ends the process with an exit code, as a regular end of the command. */
export function endProcess(code: number): never {
  isEndedHere = true;
  process.exit(code);
}

/**
 * Runs a command line as the only work of this process, and sets the exit code. If the process would end silently or
 * cryptically (a promise that never settles, an uncaught error, an experiment that calls `process.exit`), it prints a
 * sentence on standard error, and exits with code 1.
 * @param report prints an error.
 * @param waitingFor names the user's function that the command waits for.
 */
export async function runAsProcess(
  run: () => Promise<number>,
  report: (error: GradsimError) => void,
  waitingFor: () => string | undefined,
): Promise<void> {
  const who = (): string => waitingFor() ?? 'Something in this command';
  // Node emits this when no work is left.
  const onIdle = (): void => {
    report(
      new GradsimError(
        'gradsim/never-settled',
        `${who()} waits for a promise that can never be settled: nothing is left to run.`,
      ),
    );
    endProcess(1);
  };
  const onUncaught = (error: unknown): void => {
    report(
      new GradsimError(
        'gradsim/uncaught',
        `Outside of what the command waits for, an error was thrown: ${messageOf(error)}`,
        {
          cause: error,
        },
      ),
    );
    endProcess(1);
  };
  const onExit = (): void => {
    if (isEndedHere) return;
    report(
      new GradsimError(
        'gradsim/process-exit',
        `${who()} ended the process with process.exit, before the command was done.`,
      ),
    );
    process.exitCode = 1;
  };
  process.on('beforeExit', onIdle).on('exit', onExit);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  process.exitCode = await run();
  process.off('beforeExit', onIdle).off('exit', onExit);
}
