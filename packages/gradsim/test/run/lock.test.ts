import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FolderLock } from '../../src/run/lock.ts';
import { startOf } from '../../src/run/process-start.ts';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

const JITI = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../fixtures/lock.ts', import.meta.url));

/** Id of a process that has already ended. */
const ended = (): number => spawnSync(process.execPath, ['-e', '']).pid;
const claim = (of: Partial<Record<string, unknown>>): string =>
  JSON.stringify({
    claim: 'one',
    pid: 1,
    host: hostname(),
    started: '',
    since: '2026-01-01T00:00:00.000Z',
    ...of,
  });

describe('the lock of a folder', () => {
  it('admits one of many concurrent processes at a time, even if some die while holding it', async () => {
    const path = join(temporaryFolder(), 'run.lock');
    const [processes, rounds] = [6, 12];
    // The line of a run that died before.
    writeFileSync(path, `\n${claim({ pid: ended() })}\n`);
    const outputs = await Promise.all(
      Array.from({ length: processes }, async (_, k) => {
        const dies = k % 2 === 0 ? rounds / 2 : -1;
        const child = spawn(process.execPath, [JITI, FIXTURE, path, String(rounds), String(dies)]);
        let [out, err] = ['', ''];
        child.stdout.on('data', (text) => {
          out += text;
        });
        child.stderr.on('data', (text) => {
          err += text;
        });
        const [code, signal] = await once(child, 'close');
        return { won: Number(out), err, end: signal ?? code, dies };
      }),
    );
    for (const { won, err, end, dies } of outputs) {
      expect(err).toBe('');
      expect({ won, end }).toEqual(dies < 0 ? { won: rounds, end: 0 } : { won: dies + 1, end: 'SIGKILL' });
    }
    new FolderLock(path, () => {}).release();
    expect(existsSync(path)).toBe(false);
  });

  it('is refused while its owner runs, naming it, and is free once released', () => {
    const path = join(temporaryFolder(), 'run.lock');
    const lock = new FolderLock(path, () => {});
    expect(() => new FolderLock(path, () => {})).toThrowCode({
      code: 'gradsim/folder-locked',
      values: [dirname(path), process.pid, /since \S+Z/],
    });
    lock.release();
    expect(existsSync(path)).toBe(false);
    new FolderLock(path, () => {}).release();
    expect(existsSync(path)).toBe(false);
  });

  it('of a dead process is taken over, on Linux also if its id is in use again, but not that of another machine', async () => {
    const child: ChildProcess = spawn('sleep', ['60']);
    try {
      await once(child, 'spawn');
      const started = startOf(child.pid!);
      const path = join(temporaryFolder(), 'run.lock');
      const tried = (content: string): FolderLock => {
        writeFileSync(path, content);
        return new FolderLock(path, () => {});
      };
      const dead = ended();
      const stale = tried(claim({ pid: dead }));
      expect(stale.takenOver).toEqual([expect.stringMatching(`is of process ${dead}, .* taken over`)]);
      stale.release();
      expect(() => tried(claim({ pid: child.pid, started }))).toThrowCode('gradsim/folder-locked');
      if (process.platform === 'linux') {
        const recycled = tried(claim({ pid: child.pid, started: 'another boot 17' }));
        expect(recycled.takenOver).toHaveLength(1);
        recycled.release();
      }
      expect(() => tried(claim({ host: 'another', pid: dead }))).toThrowCode({
        code: 'gradsim/folder-locked',
        values: ['run.lock'],
      });
      // Lines damaged by a power cut are ignored.
      const torn = tried(`${claim({ pid: dead })}\n{"claim": "thr\0\0\0\n${claim({ claim: 'two', pid: -3 })}`);
      torn.release();
    } finally {
      child.kill();
    }
  });

  it.each(['mine', '{"a": 1}', '[]\n3\nnull', '\0\0\0\0'])(
    "with the content %j is refused as not gradsim's, and left unchanged",
    (content) => {
      const path = join(temporaryFolder(), 'run.lock');
      writeFileSync(path, content);
      expect(() => new FolderLock(path, () => {})).toThrowCode({ code: 'gradsim/not-a-lock', values: ['run.lock'] });
      expect(readFileSync(path, 'utf8')).toBe(content);
    },
  );
});

describe('gradsim estimate', () => {
  const run = ['estimate', FALLING_MOTE, '--device', 'cpu', '--quiet', '--iterations', '2'];

  it('gives a requested folder to only one of several concurrent runs', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'a', 'out');
    const runs = await Promise.all([1, 2, 3, 4].map(() => gradsim([...run, '--out', out])));
    const refused = runs.filter(({ code }) => code === 1);
    expect(refused).toHaveLength(3);
    for (const { stderr } of refused) expect(stderr.at(-1)).toMatch(/ is in use by another run: | is there already\./);
    expect(readdirSync(out).sort()).toEqual(['frames-1.png', 'report.html', 'result.json']);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('gives each of several concurrent runs a folder of its own if none is requested', async () => {
    const [folder, before] = [temporaryFolder(), process.cwd()];
    process.chdir(folder);
    try {
      const runs = await Promise.all([1, 2, 3].map(() => gradsim(run)));
      expect(runs.map(({ code }) => code)).not.toContain(1);
      expect(readdirSync('out').sort()).toEqual(['falling-mote', 'falling-mote-2', 'falling-mote-3']);
      for (const name of readdirSync('out'))
        expect(readdirSync(join('out', name)).sort()).toEqual(['frames-1.png', 'report.html', 'result.json']);
    } finally {
      process.chdir(before);
    }
  });

  it('reports that it takes over the folder of a dead run', async () => {
    const out = join(temporaryFolder(), 'out');
    mkdirSync(out);
    writeFileSync(join(out, 'run.lock'), claim({ pid: ended() }));
    const { stderr } = await gradsim([...run, '--out', out]);
    expect(stderr[0]).toMatch(/^The lock of .*out is of process \d+, .* runs no more; it is taken over\.$/);
    expect(readdirSync(out).sort()).toEqual(['frames-1.png', 'report.html', 'result.json']);
  });
});
