import { waitingFor } from './experiment/call.ts';
import { runProgram } from './program.ts';
import { runAsProcess } from './terminal/as-process.ts';
import { endWithNpm } from './terminal/interrupt.ts';
import { printableTerminal } from './terminal/printable.ts';
import { reportError } from './terminal/report-error.ts';
import { processTerminal } from './terminal/terminal.ts';

const terminal = printableTerminal(processTerminal());
const args = process.argv.slice(2);
endWithNpm();
await runAsProcess(
  () => runProgram(args, terminal),
  (error) => reportError(error, args, terminal),
  waitingFor,
);
