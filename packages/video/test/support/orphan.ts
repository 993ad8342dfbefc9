// A program that ends while its decoder is in an endless loop: when its standard input ends, or when it is killed.
import { readFileSync } from 'node:fs';
import { readFrames } from '../../src/index.ts';

readFrames(new Uint8Array(readFileSync(process.argv[2])), { patience: 600 }).catch(() => {});
process.stdin.on('end', () => process.exit()).resume();
