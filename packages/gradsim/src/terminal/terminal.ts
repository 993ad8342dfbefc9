import { reserveOutput } from './reserve-output.ts';

/** Output of a command, line by line. */
export interface Terminal {
  /** Prints a result line, on standard output. */
  readonly print: (line: string) => void;
  /** Prints a message line for the user, on standard error. */
  readonly say: (line: string) => void;
  /** True if standard error is a terminal that can redraw a line. */
  readonly isInteractive: boolean;
  /** Reserves standard output for results: other output of the process goes to standard error from then on. */
  readonly reserveOutput?: () => void;
}

/** Terminal on the standard streams of this process. */
export function processTerminal(): Terminal {
  // The reader may have closed the pipe (`| head -1`): the run continues, its results are in its folder.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  let write = (text: string): void => {
    process.stdout.write(text);
  };
  return {
    print: (line) => write(`${line}\n`),
    say: (line) => process.stderr.write(`${line}\n`),
    // A terminal may say that it has no columns (under `script`, in containers); nothing can be drawn on one.
    isInteractive: process.stderr.isTTY === true && process.stderr.columns > 0 && process.env.TERM !== 'dumb',
    reserveOutput: () => {
      write = reserveOutput();
    },
  };
}
