import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encodePng } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { OF_ESTIMATES, OF_LOOKS, removeEarlier } from '../../src/run/earlier.ts';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

const RUN = ['estimate', FALLING_MOTE, '--device', 'cpu', '--quiet', '--iterations', '2', '--out'];
const interrupt = (): void => {
  process.kill(process.pid, 'SIGINT');
};

describe('--force', () => {
  it('removes the files of an earlier run before it begins, and no other file', async () => {
    const out = join(temporaryFolder(), 'out');
    await gradsim([...RUN, out, '--set', 'stages=2']);
    for (const name of ['notes.txt', 'frames.png', 'frames-1.png.txt', 'my-report.html'])
      writeFileSync(join(out, name), 'mine');
    const own = ['frames-1.png.txt', 'frames.png', 'my-report.html', 'notes.txt'];
    let during: string[] = [];
    const look = (): void => {
      during = readdirSync(out).sort();
      interrupt();
    };
    // Before it has a result, the folder shows none of an earlier run.
    const { code } = await gradsim([...RUN, out, '--force'], (line) => line === 'made 24 frames' && look());
    expect(during).toEqual([...own, 'run.journal', 'run.json', 'run.lock'].sort());
    expect(code).toBe(130);
    expect((await gradsim([...RUN, out, '--force'])).code).not.toBe(1);
    expect(readdirSync(out).sort()).toEqual([...own, 'frames-1.png', 'report.html', 'result.json'].sort());
    for (const name of own) expect(readFileSync(join(out, name), 'utf8')).toBe('mine');
  });

  it.each(['result.json', 'report.html', 'frames-3.png', 'run.json', 'run.journal', 'run.lock'])(
    'refuses to replace a file named %s that gradsim did not write, and leaves all unchanged',
    async (name) => {
      const out = join(temporaryFolder(), 'out');
      mkdirSync(out);
      const png = await encodePng({
        width: 1,
        height: 1,
        channels: 3,
        frameRate: 1,
        data: new Float32Array(3),
      });
      const content = name.endsWith('.png') ? Buffer.from(png) : Buffer.from('{"mine": true}');
      writeFileSync(join(out, name), content);
      const { code, stderr } = await gradsim([...RUN, out, '--force']);
      expect(code).toBe(1);
      expect(stderr.at(-1)).toContain(join(out, name));
      expect(stderr.at(-1)).toMatch(/is not (one|a lock) that gradsim wrote/);
      expect(readdirSync(out)).toEqual([name]);
      expect(readFileSync(join(out, name)).equals(content)).toBe(true);
    },
  );

  it('refuses to remove files that the run reads', async () => {
    const out = join(temporaryFolder(), 'out');
    await gradsim([...RUN, out]);
    const before = readdirSync(out);
    for (const more of [
      ['--from', out],
      ['--set', `goal=${join(out, 'frames-1.png')}`],
    ]) {
      const { code, stderr } = await gradsim([...RUN, out, '--force', ...more]);
      expect(code).toBe(1);
      expect(stderr.at(-1)).toMatch(/^The run reads .*out\/(result\.json|frames-1\.png), which --force would remove/);
      expect(readdirSync(out)).toEqual(before);
    }
  });

  it('of `gradsim look` removes its own files alone, and refuses tables without their page', () => {
    const folder = temporaryFolder();
    const files = {
      'look.html': '<!doctype html>\n<meta charset="utf-8">\n<meta name="generator" content="gradsim">',
      'look.json': '{\n  "film": "a.gif"',
      'tracks.csv': 'track,frame,time,x,y,area,areaError\n',
      'tracks-metres.csv': 'track,frame,time,x,y,z\n',
      'result.json': 'mine',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    removeEarlier(folder, OF_LOOKS);
    expect(readdirSync(folder)).toEqual(['result.json']);
    expect(() => removeEarlier(folder, OF_ESTIMATES)).toThrowCode({
      code: 'gradsim/file-exists',
      values: ['result.json'],
    });
    writeFileSync(join(folder, 'tracks.csv'), files['tracks.csv']);
    expect(() => removeEarlier(folder, OF_LOOKS)).toThrowCode({ code: 'gradsim/file-exists', values: ['tracks.csv'] });
  });
});

describe('a run', () => {
  it('that fails removes the folders that it created, but none with files of others', async () => {
    const folder = temporaryFolder();
    const failing = join(folder, 'failing.ts');
    const other = join(folder, 'a', 'other', 'file');
    // While the run makes its stages, another one puts something beside its folder.
    const source = (more: string): string =>
      `import { mkdirSync, writeFileSync } from 'node:fs';
       export default { name: 'x', description: '', stages: () => { ${more} throw new Error('No luck.'); } };`;
    writeFileSync(failing, source(''));
    expect((await gradsim(['estimate', failing, '--device', 'cpu', '--out', join(folder, 'a/b/c')])).code).toBe(1);
    expect(readdirSync(folder)).toEqual(['failing.ts']);
    const [made, written] = [dirname(other), other].map((path) => JSON.stringify(path));
    writeFileSync(failing, source(`mkdirSync(${made}); writeFileSync(${written}, 'mine');`));
    expect((await gradsim(['estimate', failing, '--device', 'cpu', '--out', join(folder, 'a/b/c')])).code).toBe(1);
    expect(readdirSync(join(folder, 'a'))).toEqual(['other']);
  });

  it('that fails reports how many records of the journal it kept, and nothing if run.json or the journal is gone', async () => {
    const folder = temporaryFolder();
    const failing = join(folder, 'failing.ts');
    const failsInNotes = (first: string): void =>
      writeFileSync(
        failing,
        `import { rmSync } from 'node:fs';
         import mote from ${JSON.stringify(FALLING_MOTE)};
         const notes = () => { ${first} throw new Error('No notes.'); };
         export default { ...mote, stages: async (given) => (await mote.stages(given)).map((stage) => ({ ...stage, notes })) };`,
      );
    const out = join(folder, 'out');
    failsInNotes('');
    const kept = await gradsim(['estimate', failing, '--device', 'cpu', '--out', out, '--iterations', '2']);
    expect(kept.stderr.at(-2)).toMatch(/is kept, \d+ records\. Once mended, go on with: gradsim estimate --resume /);
    expect(kept.stderr.at(-1)).toBe('No notes.');
    expect(readdirSync(out).sort()).toEqual(['run.journal', 'run.json']);
    // Somebody removes its files.
    for (const gone of ['run.json', 'run.journal', '']) {
      failsInNotes(`rmSync(${JSON.stringify(join(out, gone))}, { recursive: true });`);
      rmSync(out, { recursive: true, force: true });
      const lost = await gradsim(['estimate', failing, '--device', 'cpu', '--out', out, '--iterations', '2']);
      expect(lost.code).toBe(1);
      expect(lost.stderr.join('\n')).not.toMatch(/kept|go on/i);
    }
  });
});
