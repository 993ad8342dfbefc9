import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequest } from '../../src/run/request.ts';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

const FILE = { file: 'a.ts', sha256: '00' };
const WHOLE = {
  format: 1,
  request: { experiment: 'a.ts', seed: 3, settings: { slow: '1' } },
  from: '/tmp',
  device: 'cpu',
  experiment: FILE,
  modules: [FILE],
  versions: { node: '20.0.0' },
};

function refusal(content: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'run.json'), content);
  try {
    readRequest(folder);
  } catch (error) {
    expect((error as Error).message).toContain(join(folder, 'run.json'));
    expect((error as Error).message).toMatch(/Begin anew/);
    return (error as Error).message;
  }
  return 'read';
}

describe('run.json', () => {
  it('is accepted with all required parts, and with optional ones', () => {
    expect(refusal(JSON.stringify(WHOLE))).toBe('read');
    expect(refusal(JSON.stringify({ ...WHOLE, threads: 2, video: FILE, files: [FILE] }))).toBe('read');
  });

  it.each<[string, string, RegExp]>([
    ['empty', '', /damaged.* it is empty/],
    ['cut off', JSON.stringify(WHOLE).slice(0, 60), /damaged.* it is no JSON/],
    ['bytes', '\0\x01\x7fELF', /damaged.* it is no JSON/],
    ['null', 'null', /damaged.* it is null, and must be an object/],
    ['a list', '[]', /it is \[\], and must be an object/],
    ['of another version', JSON.stringify({ ...WHOLE, format: 2 }), /has format 2, and this command reads format 1/],
    ['of a version that is none', JSON.stringify({ ...WHOLE, format: '1' }), /format is '1'/],
    ['without a request', JSON.stringify({ ...WHOLE, request: undefined }), /request is undefined/],
    ['with a number for a module', JSON.stringify({ ...WHOLE, modules: [FILE, 7] }), /modules\.1 is 7/],
    [
      'with a hash that is none',
      JSON.stringify({ ...WHOLE, video: { file: 'a', sha256: {} } }),
      /video\.sha256 is \{\}/,
    ],
    [
      'with a huge seed',
      JSON.stringify({ ...WHOLE, request: { ...WHOLE.request, seed: 1e300 } }),
      /request\.seed is 1e\+300/,
    ],
    [
      'with a setting that is none',
      JSON.stringify({ ...WHOLE, request: { ...WHOLE.request, settings: { a: 1 } } }),
      /request\.settings\.a is 1/,
    ],
    ['with another part', JSON.stringify({ ...WHOLE, request: { ...WHOLE.request, sed: 3 } }), /request has "sed"/],
    ['with threads below 1', JSON.stringify({ ...WHOLE, threads: 0 }), /threads is 0, .* at least 1/],
  ])('is refused, naming the invalid part: %s', (_, content, message) => {
    expect(refusal(content)).toMatch(message);
  });

  it('is refused if it is a folder, or longer than 16 MB', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'run.json'));
    expect(() => readRequest(folder)).toThrowCode({
      code: 'gradsim/run-damaged',
      values: ['run.json', 'it is a folder, not a file'],
    });
    expect(refusal(' '.repeat(17e6))).toMatch(/it has 17000000 bytes, and at most 16000000 are read/);
  });

  it('of a run whose folder, device or experiment is missing is refused, naming it', async () => {
    const folder = temporaryFolder();
    const tried = async (change: object): Promise<string> => {
      writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...WHOLE, ...change }));
      const { code, stderr } = await gradsim(['estimate', '--resume', folder]);
      expect(code).toBe(1);
      expect(readFileSync(join(folder, 'run.json'), 'utf8')).toContain('"format":1');
      return stderr.join('\n');
    };
    const before = process.cwd();
    try {
      expect(await tried({ from: join(folder, 'gone') })).toMatch(/begun from the folder .*gone, which cannot be/);
      expect(await tried({ from: folder })).toMatch(/There is no experiment "a\.ts"/);
      const request = { ...WHOLE.request, experiment: FALLING_MOTE };
      expect(await tried({ from: folder, request, device: 'abacus' })).toMatch(/no device "abacus"/);
    } finally {
      process.chdir(before);
    }
  });
});
