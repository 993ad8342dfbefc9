#!/usr/bin/env node
import { waitingFor } from './experiment/call.ts';
import { runProgram } from './program.ts';
import { runAsProcess } from './terminal/as-process.ts';
import { printableTerminal } from './terminal/printable.ts';
import { processTerminal } from './terminal/terminal.ts';

const terminal = printableTerminal(processTerminal());
const args = process.argv.slice(2);
await runAsProcess(args, () => runProgram(args, terminal), terminal.say, waitingFor);
