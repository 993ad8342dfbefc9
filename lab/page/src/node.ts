// What the page computes, in Node: printed as one line of JSON.
import { cpuDevice } from '@gradsim/core';
import { runProgram } from './program.ts';

const device = cpuDevice({ threads: 2 });
console.log(JSON.stringify(await runProgram(device)));
device.dispose();
