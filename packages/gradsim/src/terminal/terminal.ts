import { reserveOutput } from './reserve-output.ts';

/** Where a command's lines go. */
export interface Terminal {
  /** A line of the result, on standard output. */
  readonly print: (line: string) => void;
  /** A line for the person who waits, on standard error. */
  readonly say: (line: string) => void;
  /** Whether standard error is a terminal that can redraw a line. */
  readonly isInteractive: boolean;
  /** Keeps standard output for results: what else the process writes there goes to standard error from then on. */
  readonly reserveOutput?: () => void;
}

/** The standard streams of this process. */
export function processTerminal(): Terminal {
  // Whoever reads may have read enough (`| head -1`): the run goes on, its results are in its folder.
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
