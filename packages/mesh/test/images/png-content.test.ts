import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import { readPng } from '../../src/images/png.ts';
import { checkSize } from '../../src/images/stored-image.ts';

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** A PNG of RGB in 8 bits, with these bytes before compression in chunks of the given types. */
function png(size: number, pixels: Uint8Array, ...more: [string, Uint8Array][]): Buffer {
  const header = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 2, 0, 0, 0]);
  const chunks: [string, Uint8Array][] = [['IHDR', header], ...more, ['IDAT', pixels], ['IEND', Buffer.alloc(0)]];
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.map(([type, data]) => chunk(type, data)),
  ]);
}

/** Largest resident memory while a function runs, MB above that before. */
async function memoryOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  await run();
  clearInterval(timer);
  return (Math.max(most, process.memoryUsage.rss()) - before) / 1e6;
}

it('a PNG inflates to what its header says and no more', async () => {
  const bomb = png(64, deflateSync(Buffer.alloc(600e6)));
  expect(bomb.length).toBeLessThan(700_000);
  const began = performance.now();
  const taken = await memoryOf(() =>
    expect(readPng(bomb, checkSize)).rejects.toThrowCode({ code: 'mesh/image-damaged', values: [12352] }),
  );
  expect(taken).toBeLessThan(200);
  expect(performance.now() - began).toBeLessThan(5000);
});

it('a PNG with a profile or an animation that inflates without end is read without it', async () => {
  const zeros = deflateSync(Buffer.alloc(600e6));
  const profile = Buffer.concat([Buffer.from('p\0\0', 'latin1'), zeros]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 2 }, (_, y) => Buffer.from([0, 1, 2, 3, 4, 5, y]))));
  const taken = await memoryOf(async () => {
    const { values } = await readPng(png(2, pixels, ['iCCP', profile]), checkSize);
    expect(Array.from(values)).toEqual([1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 1]);
  });
  expect(taken).toBeLessThan(200);
});

it('a PNG whose pixels are too few, or cannot be inflated, is refused', async () => {
  await expect(readPng(png(64, Buffer.from('no deflate')), checkSize)).rejects.toThrowCode('mesh/image-damaged');
  await expect(readPng(png(64, deflateSync(Buffer.alloc(100))), checkSize)).rejects.toThrow();
});

it('PNGs of every depth and kind of colour, and with bytes behind their pixels, are read as before', async () => {
  for (const channels of [1, 2, 3, 4] as const)
    for (const depth of [8, 16] as const) {
      const data = Array.from({ length: 15 * channels }, (_, k) => (k * 40503) % 2 ** depth);
      const array = depth === 8 ? Uint8Array.from(data) : Uint16Array.from(data);
      const { values } = await readPng(encode({ width: 5, height: 3, channels, depth, data: array }));
      expect(Array.from(values)).toEqual(data);
    }
  const rows = Buffer.from([0, 1, 2, 3]);
  const { values } = await readPng(png(1, Buffer.concat([deflateSync(rows), Buffer.from('more')])));
  expect(Array.from(values)).toEqual([1, 2, 3]);
});

it('an interlaced PNG is read whatever its size', async () => {
  // Seven passes, of which small pictures lack some. One filter byte a row, and as many pixels as the picture has.
  for (const [width, height] of [
    [1, 1],
    [5, 3],
    [8, 8],
    [9, 2],
  ]) {
    const passes = [
      [0, 0, 8, 8],
      [4, 0, 8, 8],
      [0, 4, 4, 8],
      [2, 0, 4, 4],
      [0, 2, 2, 4],
      [1, 0, 2, 2],
      [0, 1, 1, 2],
    ];
    const rows: number[] = [];
    for (const [x, y, right, down] of passes)
      for (let row = y; row < height; row += down) {
        const places = [];
        for (let column = x; column < width; column += right) places.push(width * row + column);
        if (places.length > 0) rows.push(0, ...places);
      }
    const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 1]);
    const bytes = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.from(rows))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    const { values } = await readPng(bytes, checkSize);
    expect(Array.from(values)).toEqual(Array.from({ length: width * height }, (_, k) => k));
  }
});
