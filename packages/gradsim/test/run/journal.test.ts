import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { FileJournal, recordsIn } from '../../src/run/journal.ts';
import { temporaryFolder } from '../support.ts';

const NUMBERS = [new Float64Array([1, 2])];

/** Requests a number of results from a journal. Returns them, and how many had to be computed. */
async function asked(path: string, count: number): Promise<{ results: number[]; worked: number; remark?: string }> {
  const journal = new FileJournal(path);
  try {
    let worked = 0;
    const results: number[] = [];
    for (let k = 0; k < count; k++)
      results.push(
        await journal.of('stage').once(`work ${k}`, NUMBERS, async () => {
          worked++;
          return k * k;
        }),
      );
    return { results, worked, ...(journal.remark === undefined ? {} : { remark: journal.remark }) };
  } finally {
    journal.close();
  }
}

/** Writes a journal with five records, and returns the end position of each, bytes. */
async function written(): Promise<{ path: string; bytes: Buffer; ends: number[] }> {
  const path = join(temporaryFolder(), 'run.journal');
  const ends: number[] = [];
  for (let count = 0; count <= 5; count++) {
    await asked(path, count);
    ends.push(readFileSync(path).length);
  }
  return { path, bytes: readFileSync(path), ends };
}

describe('a journal', () => {
  it('that is damaged is used up to the damage, and the number of dropped records is reported', async () => {
    const { path, bytes, ends } = await written();
    const magic = ends[0];
    for (let at = magic; at < bytes.length; at += 3) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 0x10;
      writeFileSync(path, changed);
      const kept = ends.findIndex((end) => end > at) - 1;
      expect(recordsIn(path)).toBe(kept);
      const { results, worked, remark } = await asked(path, 5);
      expect(results).toEqual([0, 1, 4, 9, 16]);
      expect(worked).toBe(5 - kept);
      const behind = 4 - kept;
      // A length beyond the file looks like a truncated record, if none follows.
      expect(remark).toMatch(
        behind > 0
          ? `is damaged at byte ${ends[kept]}: 1 damaged record and ${behind} whole record${behind > 1 ? 's' : ''} behind it, ${bytes.length - ends[kept]} bytes, are dropped and worked out again; ${kept} record`
          : /1 damaged record, \d+ bytes, are dropped|1 record is dropped/,
      );
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }
  });

  it('that is truncated is used up to the last whole record, and a partial record is reported as dropped', async () => {
    const { path, bytes, ends } = await written();
    for (let length = 0; length < bytes.length; length += 3) {
      writeFileSync(path, bytes.subarray(0, length));
      const kept = Math.max(0, ends.findIndex((end) => end > length) - 1);
      const { worked, remark } = await asked(path, 5);
      expect(worked).toBe(5 - kept);
      if (length < ends[0] || ends.includes(length)) expect(remark).toBeUndefined();
      else expect(remark).toMatch(/is cut off, .*: 1 record is dropped and worked out again; \d record/);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }
  });

  it.each([
    ['a text', 'my diary, page 1', 'gradsim/journal-damaged'],
    ['zeros', '\0'.repeat(100), 'gradsim/journal-damaged'],
    ['one of another version', 'gradsim journal 2\nrest', { code: 'gradsim/journal-format', values: [2, 1] }],
  ])('is refused and left unchanged if it is %s', (_, content, expected) => {
    const path = join(temporaryFolder(), 'run.journal');
    writeFileSync(path, content);
    expect(() => new FileJournal(path)).toThrowCode(expected);
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(recordsIn(path)).toBe(0);
  });

  it('is refused if it is a folder or a pipe', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    expect(() => new FileJournal(join(folder, 'folder'))).toThrowCode({
      code: 'gradsim/file-unwritable',
      values: ['it is a folder'],
    });
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(() => new FileJournal(join(folder, 'pipe'))).toThrowCode('gradsim/not-a-file');
  });

  it('refuses a record with a valid checksum and invalid content, by its number', async () => {
    const { path, bytes } = await written();
    for (const content of [serialize(3), serialize({ what: 1 }), serialize(null), Buffer.from('no value')]) {
      const head = Buffer.alloc(16);
      head.write('\u0001rec', 'latin1');
      head.writeUInt32LE(content.length, 4);
      createHash('sha256').update(content).digest().copy(head, 8, 0, 8);
      writeFileSync(path, Buffer.concat([bytes, head, content]));
      expect(() => new FileJournal(path)).toThrowCode({ code: 'gradsim/journal-damaged', values: [6, 'run.journal'] });
      expect(existsSync(path)).toBe(true);
    }
  });

  it('of 50 000 headers without records is reported as damaged at byte 18', () => {
    const path = join(temporaryFolder(), 'run.journal');
    const count = 50_000;
    const head = Buffer.alloc(16);
    head.write('\u0001rec', 'latin1');
    head.writeUInt32LE(200_000, 4);
    writeFileSync(path, Buffer.concat([Buffer.from('gradsim journal 1\n'), ...Array<Buffer>(count).fill(head)]));
    // 10 GB would be hashed otherwise, half a minute of work.
    const journal = new FileJournal(path);
    expect(journal.remark).toMatch(/is damaged at byte 18/);
    journal.close();
  });
});
