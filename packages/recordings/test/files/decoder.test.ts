import { describe, expect, it } from 'vitest';
import { decoderOf } from '../../src/files/mcap/decoder.ts';

const LINE = '='.repeat(80);
/** Reads a message of zeros by a schema. */
async function decoded(encoding: 'cdr' | 'ros1', schema: string, length = 200): Promise<unknown> {
  const data = new TextEncoder().encode(schema);
  return (await decoderOf(encoding, { name: 'p/A', encoding: '', data }))(new Uint8Array(length).fill(1));
}

describe.each(['cdr', 'ros1'] as const)('schemas of messages as %s', (encoding) => {
  it.each([
    ['a type within itself', `p/A a\n${LINE}\nMSG: p/A\np/A a\nfloat64 x\n`],
    ['lists of a type within itself', `p/A[] a\n${LINE}\nMSG: p/A\np/A[] a\n`],
    ['a list of 4 billion numbers', 'float64[4000000000] x\n'],
    ['a list of 4 billion messages', `p/A[4000000000] a\n${LINE}\nMSG: p/A\nuint8 x\n`],
    ['code in place of a name', 'float64 x;throw(1)\n'],
    ['a name of another kind', 'float64 x\np/A-B a\n'],
    ['more than a megabyte', `float64 x\n#${'a'.repeat(1_000_000)}`],
  ])('are refused with %s', async (_, schema) => {
    await expect(decoded(encoding, schema)).rejects.toThrow();
  });

  it.each([' ', '=', '\n', '[', '"', '=\n', '# \n', `${LINE}\n`, 'float64 x\n', '\\'])(
    'with %j a hundred thousand times are told in time in proportion to their length',
    async (piece) => {
      // The least of three: a machine that is busy, or collects garbage, only adds to the time.
      const time = async (length: number): Promise<number> => {
        const schema = `float64 x${piece.repeat(Math.floor(length / piece.length))}y\n`;
        const times: number[] = [];
        for (let run = 0; run < 3; run++) {
          const from = process.cpuUsage();
          await decoded(encoding, schema).catch(() => undefined);
          times.push(process.cpuUsage(from).user + 2000);
        }
        return Math.min(...times);
      };
      await time(1000);
      const [short, long] = [await time(90_000), await time(900_000)];
      expect(long / short).toBeLessThan(40);
    },
  );
});

it('lists of messages without a field are refused, of which a few bytes could be billions', async () => {
  await expect(decoded('ros1', `p/A[] a\n${LINE}\nMSG: p/A\nint32 X=3\n`)).rejects.toThrow('without a field');
});
