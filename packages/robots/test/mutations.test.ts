import { articulated } from '@gradsim/articulated';
import { buildModel, createScene, isGradsimError } from '@gradsim/core';
import { addRobot, readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';
import { draws, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { ARM_MJCF, ARM_URDF } from './support/arms.ts';

/** Number of mutated robot files that the test reads. */
const COUNT = draws(300, 20_000);
/** Maximum processor time for reading one file, ms: about a hundred times what any of these files takes. */
const LONGEST_MS = 2000;
const PIECES = [
  '<',
  '>',
  '/>',
  '"',
  '&',
  '&amp;',
  '&#0;',
  '-',
  '1e308',
  'nan',
  '0',
  '<body>',
  '</link>',
  '<!--',
  '<![CDATA[',
  '\u0000',
  '../',
  ' name="upper"',
];

function mutate(text: string, draw: (below: number) => number): string {
  let mutated = text;
  for (let times = 1 + draw(2); times > 0; times--) {
    const [a, b] = [draw(mutated.length), draw(mutated.length)];
    const span = mutated.slice(a, a + 1 + draw(40));
    const at = (position: number, piece: string, instead = 0): void => {
      mutated = mutated.slice(0, position) + piece + mutated.slice(position + instead);
    };
    // A number or a word becomes another one of the same text, which leaves it well-formed more often than not.
    const words = [...mutated.matchAll(/[\w.-]+/g)];
    const [word, other] = [words[draw(words.length)], words[draw(words.length)]];
    const kind = draw(6);
    if (kind === 0) at(a, '', span.length);
    else if (kind === 1) at(b, span);
    else if (kind === 2) at(a, PIECES[draw(PIECES.length)], draw(3));
    else at(word.index, other[0], word[0].length);
  }
  return mutated;
}

describe('a mutated robot file yields a model, a sentence of the reader, or an error that names the field, in limited time:', () => {
  it.each([
    ['URDF', ARM_URDF, readUrdf],
    ['MJCF', ARM_MJCF, readMjcf],
  ] as const)('%s', async (_, text, read) => {
    let state = seedOfRun('mutations');
    const draw = (below: number): number => {
      // Exact in 32 bits: a product of doubles is rounded, and some seeds then run in a short circle.
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const outcomes = { model: 0, refusedByReader: 0, refusedByScene: 0 };
    for (let k = 0; k < COUNT; k++) {
      const mutated = mutate(text, draw);
      const start = process.cpuUsage();
      try {
        const robot = await read(mutated, { limitStiffness: 10, frictionStiffness: 1 });
        try {
          const scene = createScene([articulated()]);
          addRobot(scene, robot);
          buildModel(scene);
          outcomes.model++;
        } catch (error) {
          // A number beyond single precision, of a link or of its shape.
          expect(String(error), mutated).toMatch(/link(s|Vertices)\.\w+/);
          outcomes.refusedByScene++;
        }
      } catch (error) {
        if (!isGradsimError(error)) throw new Error(`no sentence for ${mutated}`, { cause: error });
        expect(error.message, mutated).toMatch(/^the robot(, line \d+)?: .*\.$/s);
        outcomes.refusedByReader++;
      }
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000, mutated).toBeLessThan(LONGEST_MS);
    }
    console.info(JSON.stringify(outcomes));
    expect(outcomes.model).toBeGreaterThan(COUNT / 50);
    expect(outcomes.refusedByReader).toBeGreaterThan(COUNT / 50);
  });
});
