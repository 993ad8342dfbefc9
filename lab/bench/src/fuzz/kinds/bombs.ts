import { crc32, deflateSync } from 'node:zlib';
import { readCamera } from '@gradsim/cameras';
import { parseGltf, parseObj, parseStl } from '@gradsim/mesh';
import { readMjcf, readUrdf } from '@gradsim/robots';
import { readFrames } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import { type Case, type Kind, outcomeOf, WronglyAccepted } from '../kind.ts';

/** Small files that would take much: pictures that inflate, texts that repeat, content that is deep. */
export const bombs: Kind = { name: 'bombs', limit: 30, draw };

/** Most memory that a bomb may take, MB, beside what the process has. */
const MEMORY = 400;

interface Bomb {
  readonly about: string;
  readonly read: () => unknown;
}

async function draw(random: Draw): Promise<Case> {
  const make = random.pick([picture, nestedText, nestedText, repeated, repeated]);
  const { about, read } = make(random);
  return {
    about,
    // What repeats may be nothing at all to a format, such as empty lines.
    expected: make === repeated ? 'either' : 'refused',
    read: () =>
      outcomeOf(async () => {
        const before = process.memoryUsage.rss();
        await within(read, before);
        return true;
      }),
  };
}

/** Runs a reader. @throws if it took much memory, whatever it did with it. */
async function within(read: () => unknown, before: number): Promise<void> {
  let failure: unknown;
  try {
    await read();
  } catch (error) {
    failure = error;
  }
  const taken = (process.memoryUsage.rss() - before) / 1e6;
  if (taken > MEMORY) throw new WronglyAccepted(`it took ${Math.round(taken)} MB`);
  if (failure) throw failure;
}

function picture(random: Draw): Bomb {
  const [width, height] = [random.whole(1, 64), random.whole(1, 64)];
  const [depth, colour, samples] = random.pick([
    [8, 2, 3],
    [8, 6, 4],
    [16, 2, 3],
    [8, 0, 1],
    [1, 0, 1],
  ]);
  const isInterlaced = random.chance(0.3);
  const size = random.whole(10, 120) * 1e6;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, isInterlaced ? 1 : 0], 8);
  const pixels = deflateSync(Buffer.alloc(size), { level: 9 });
  // In one chunk, or in many.
  const parts = random.whole(1, 5);
  const length = Math.ceil(pixels.length / parts);
  const chunks = Array.from({ length: parts }, (_, k) => chunk('IDAT', pixels.subarray(k * length, (k + 1) * length)));
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return {
    about: `PNG of ${width} x ${height} with ${samples} samples, ${bytes.length} bytes that inflate to ${size}`,
    read: () => readFrames(new Uint8Array(bytes), { frameRate: 1 }),
  };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  urdf: (text) => readUrdf(text, { file: 'a.urdf' }),
  mjcf: (text) => readMjcf(text, { file: 'a.xml' }),
  camera: (text) => readCamera(text, { name: 'a.yml' }),
  gltf: (text) => parseGltf(new TextEncoder().encode(text), 'a.gltf', { readBeside: async () => new Uint8Array() }),
};

function nestedText(random: Draw): Bomb {
  const depth = random.pick([1200, 10_000, 100_000]);
  const nest = (open: string, close: string, leaf: string): string => open.repeat(depth) + leaf + close.repeat(depth);
  const nodes = Array.from({ length: depth }, (_, k) => (k < depth - 1 ? { children: [k + 1] } : {}));
  const texts: readonly (readonly [keyof typeof READERS, string])[] = [
    ['urdf', `<robot name="a">${nest('<link name="l">', '</link>', '')}</robot>`],
    ['mjcf', `<mujoco><worldbody>${nest('<body>', '</body>', '')}</worldbody></mujoco>`],
    ['camera', nest('{"a":', '}', '1')],
    ['camera', `<?xml version="1.0"?><opencv_storage>${nest('<a>', '</a>', '')}</opencv_storage>`],
    ['camera', `%YAML:1.0\n---\na: ${nest('[', ']', '')}`],
    ['gltf', JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes })],
    ['gltf', `{"asset":{"version":"2.0"},"extras":${nest('[', ']', '')}}`],
  ];
  const [reader, text] = random.pick(texts);
  return { about: `${reader} ${depth} deep: ${text.slice(0, 60)}`, read: () => READERS[reader](text) };
}

const PIECES = ['<!--', '<![CDATA[', '<?', '<a ', '"', '(', '[', '{', ' ', '\n', '- ', '&a;', '0 ', ',', '/', 'f '];

function repeated(random: Draw): Bomb {
  const piece = random.pick(PIECES);
  const text = piece.repeat(Math.ceil(random.whole(200_000, 2_000_000) / piece.length));
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    ...READERS,
    obj: (all) => parseObj(`v 0 0 0\n${all}`, 'a.obj', {}),
    stl: (all) => parseStl(new TextEncoder().encode(`solid a\n${all}`), 'a.stl'),
  };
  const reader = random.pick(Object.keys(readers));
  return {
    about: `${reader} of ${text.length} characters ${JSON.stringify(piece)}`,
    read: () => readers[reader](text),
  };
}
