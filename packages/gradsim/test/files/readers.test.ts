import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { box, formatStl, readMesh } from '@gradsim/mesh';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRobotFile } from '../../src/robot/read-files.ts';
import { codeOf, outcome, READERS, type Reader, writeFiles } from './readers.ts';
import { RULES, Things } from './things.ts';

describe.skipIf(process.platform === 'win32')('every reader', () => {
  let folder: string;
  const things = new Things();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gradsim-files-'));
    await writeFiles(folder);
  });
  afterAll(() => {
    things.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Makes what a rule is about, under the name of the file that is wanted. */
  const make = (rule: string, wanted: string): Promise<string> =>
    things.make(rule, join(folder, wanted), join(mkdtempSync(join(folder, 'case-')), wanted));
  const outcomeOf = (reader: Reader, path: string): Promise<Error | undefined> => outcome(reader, path, folder);

  for (const [name, reader] of Object.entries(READERS))
    for (const [rule, comes] of Object.entries(RULES)) {
      if ((rule === 'a folder' && reader.takesFolders) || (rule === 'an empty file' && reader.looksUpOnly)) continue;
      if (reader.takesFolderOf && ['a device', 'a file below a file', 'a name that is too long'].includes(rule))
        continue;
      it(`${name}: ${rule} is ${comes === 'refused' ? 'refused by a sentence' : 'read as the file'}`, async () => {
        const path = await make(rule, reader.takes);
        const came = await outcomeOf(reader, path);
        if (comes === 'as the file') {
          const plain = await outcomeOf(reader, await make('the file', reader.takes));
          if (!reader.wants) expect(plain).toBeUndefined();
          expect(codeOf(came)).toBe(codeOf(plain));
          return;
        }
        // Nothing is a text too.
        if (name === 'readText' && rule === 'an empty file') return;
        expect(came, 'it is read').toBeDefined();
        expect(came!.message).toMatch(/^[^\n]*\.[^\n]*$/);
        expect(codeOf(came), came!.stack).toMatch(/^[a-z]+\/[a-z-]+$/);
        // The file is named, by as much of its name as can be shown.
        if (rule !== 'a name that is too long') expect(came!.message).toContain(basename(path));
      });
    }

  for (const [name, reader] of Object.entries(READERS)) {
    if (!reader.looksUpOnly)
      it(`${name}: a file of three gigabytes is refused before it is read`, async () => {
        const path = join(mkdtempSync(join(folder, 'large-')), reader.takes);
        writeFileSync(path, '');
        truncateSync(path, 3e9);
        const before = process.memoryUsage.rss();
        const came = await outcomeOf(reader, path);
        expect(came).toBeDefined();
        expect(process.memoryUsage.rss() - before).toBeLessThan(500e6);
      });
    if (!/\.(?:csv|txt|urdf|obj|tet)$/.test(reader.takes)) continue;
    it.each([
      ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
      ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
      ['UTF-16 in the other order', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ])(`${name}: a text in %s is read as one in UTF-8`, async (_, encode) => {
      const plain = join(folder, reader.takes);
      const path = join(mkdtempSync(join(folder, 'text-')), reader.takes);
      writeFileSync(path, encode(readFileSync(plain, 'utf8')));
      expect(codeOf(await outcomeOf(reader, path))).toBe(codeOf(await outcomeOf(reader, plain)));
    });
  }

  /** Files that name a file `part.ENDING` beside them, and the readers of those. */
  const NAMING: Readonly<Record<string, { part: string; content: string; read: (path: string) => Promise<unknown> }>> =
    {
      'a.gltf': {
        part: 'part.bin',
        content: JSON.stringify({
          asset: { version: '2.0' },
          buffers: [{ uri: 'part.bin', byteLength: 36 }],
          bufferViews: [{ buffer: 0, byteLength: 36 }],
          accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
          meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
          nodes: [{ mesh: 0 }],
          scenes: [{ nodes: [0] }],
          scene: 0,
        }),
        read: (path) => readMesh(path),
      },
      'a.obj': {
        part: 'part.mtl',
        content: 'mtllib part.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
        read: (path) => readMesh(path),
      },
      'a.xml': {
        part: 'part.stl',
        content:
          '<mujoco><asset><mesh name="m" file="part.stl"/></asset><worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        read: async (path) => (await readRobotFile(path)).robot,
      },
    };
  const GOOD_PARTS: Readonly<Record<string, () => Uint8Array | string>> = {
    'part.bin': () => new Uint8Array(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer),
    'part.mtl': () => 'newmtl red\nKd 1 0 0\n',
    'part.stl': () => formatStl(box({ size: [1, 1, 1] })),
  };
  for (const [name, { part, content, read }] of Object.entries(NAMING))
    for (const rule of [
      'the file',
      'a link within',
      'a link out',
      'a link of a folder out',
      'a pipe',
      'a device',
      'nothing',
    ])
      it(`${name}: ${rule}, named by it, is ${/file|within/.test(rule) ? 'read' : 'refused by a sentence'}`, async () => {
        const place = mkdtempSync(join(folder, 'naming-'));
        const path = join(place, name);
        const target = join(place, part);
        let text = content;
        writeFileSync(join(place, `real-${part}`), GOOD_PARTS[part]());
        const outside = mkdtempSync(join(folder, 'outside-'));
        writeFileSync(join(outside, part), GOOD_PARTS[part]());
        if (rule === 'the file') writeFileSync(target, GOOD_PARTS[part]());
        if (rule === 'a link within') symlinkSync(join(place, `real-${part}`), target);
        if (rule === 'a link out') symlinkSync(join(outside, part), target);
        if (rule === 'a link of a folder out') {
          symlinkSync(outside, join(place, 'parts'));
          text = content.replaceAll(part, `parts/${part}`);
        }
        if (rule === 'a pipe') spawnSync('mkfifo', [target]);
        if (rule === 'a device') symlinkSync('/dev/zero', target);
        writeFileSync(path, text);
        const came = await outcomeOf({ takes: 'a.obj', read }, path);
        if (/file|within/.test(rule)) expect(came).toBeUndefined();
        else expect(codeOf(came), String(came?.stack)).toMatch(/^[a-z]+\/[a-z-]+$/);
      });
});
