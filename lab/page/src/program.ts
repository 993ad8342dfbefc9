import type { Device } from '@gradsim/core';
import type { Bits } from './bits.ts';
import { fallOfBlock } from './block.ts';
import { drop } from './drop.ts';
import { estimateThrow } from './estimate.ts';
import { hammock } from './hammock.ts';

/** Runs a program that uses every package of a page, with gradients; returns the results by the name of its part. */
export async function runProgram(device: Device): Promise<Bits> {
  const parts = { drop, fallOfBlock, hammock, estimateThrow };
  const results: Bits = {};
  for (const [part, run] of Object.entries(parts))
    for (const [name, bits] of Object.entries(await run(device))) results[`${part}: ${name}`] = bits;
  return results;
}
