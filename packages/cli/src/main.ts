#!/usr/bin/env node
import { runProgram } from './program.ts';
import { processTerminal } from './terminal/terminal.ts';

const terminal = processTerminal();
// Node comes here when nothing is left that could happen, and would end without a word.
const refuseSilence = (): void => {
  terminal.say(
    'Something that was waited for can never come: a promise of the experiment is neither kept nor broken.',
  );
  process.exit(1);
};
process.on('beforeExit', refuseSilence);
process.exitCode = await runProgram(process.argv.slice(2), terminal);
process.off('beforeExit', refuseSilence);
