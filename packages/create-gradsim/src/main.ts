#!/usr/bin/env node
import { runProgram } from './program.ts';

process.exitCode = runProgram(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  say: (line) => process.stderr.write(`${line}\n`),
});
