import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../src/doctor/finding.ts';
import { checkDevices, checkNode } from '../../src/doctor/machine.ts';
import { gradsim, temporaryFolder } from '../support.ts';

/** A folder with these files; objects are written as JSON. */
function folderOf(files: Readonly<Record<string, string | object>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Report of the doctor on a folder; the exit code must go with it. */
async function diagnose(folder: string): Promise<Finding[]> {
  const { code, stdout, stderr } = await gradsim(['doctor', folder, '--json']);
  expect({ lines: stdout.length, stderr }).toEqual({ lines: 1, stderr: [] });
  const { findings, isWell } = JSON.parse(stdout[0]) as { findings: Finding[]; isWell: boolean };
  expect(isWell).toBe(findings.every(({ state }) => state !== 'wrong'));
  expect(code).toBe(isWell ? 0 : 1);
  return findings;
}
const ofPackages = async (folder: string): Promise<Finding[]> =>
  (await diagnose(folder)).filter(({ about }) => about === 'packages');

/** Version of the command's own core: another minor one would be a finding. */
const VERSION = (
  JSON.parse(readFileSync(new URL('../../../core/package.json', import.meta.url), 'utf8')) as { version: string }
).version;
const core = (version = VERSION) => ({ name: '@gradsim/core', version, exports: './core.js' });
const plugin = {
  'package.json': { name: 'mine', dependencies: { 'gradsim-rain': '1.0.0' } },
  'node_modules/gradsim-rain/package.json': {
    name: 'gradsim-rain',
    version: '1.0.0',
    exports: { '.': { types: './rain.d.ts', default: './rain.js' } },
    peerDependencies: { '@gradsim/core': '0.x' },
  },
  'node_modules/gradsim-rain/rain.js': '',
  'node_modules/gradsim-rain/rain.d.ts': '',
};
const whole = {
  ...plugin,
  'node_modules/@gradsim/core/package.json': core(),
  'node_modules/@gradsim/core/core.js': '',
};

afterEach(() => vi.unstubAllEnvs());

describe('gradsim doctor, of the packages of a folder', () => {
  it('finds nothing wrong in one that has all it names, and lists their versions', async () => {
    expect(await ofPackages(folderOf(whole))).toEqual([
      { about: 'packages', state: 'ok', text: `@gradsim/core ${VERSION}, gradsim-rain 1.0.0; no copy twice.` },
    ]);
  });

  it('finds nothing wrong in an empty one, where the packages of the command are used', async () => {
    const [finding] = await ofPackages(temporaryFolder());
    expect(finding).toMatchObject({ state: 'ok', text: expect.stringMatching(/^No package of gradsim is installed/) });
  });

  it('names those that package.json has and node_modules has not', async () => {
    const folder = folderOf({
      'package.json': {
        dependencies: { '@gradsim/core': `^${VERSION}`, '@types/x': '1' },
        devDependencies: { gradsim: '*' },
      },
    });
    expect(await ofPackages(folder)).toEqual([
      {
        about: 'packages',
        state: 'wrong',
        text: 'The package.json names @gradsim/core, gradsim, not installed here.',
        command: 'npm install',
      },
    ]);
  });

  it('names a peer that a plugin lacks', async () => {
    const folder = folderOf({
      ...plugin,
      'node_modules/gradsim-rain/package.json': {
        ...plugin['node_modules/gradsim-rain/package.json'],
        peerDependencies: { '@gradsim/core-of-nobody': '1' },
      },
    });
    expect(await ofPackages(folder)).toEqual([
      expect.objectContaining({ state: 'wrong', command: 'npm install @gradsim/core-of-nobody' }),
    ]);
  });

  it('names both copies of a core that is there twice', async () => {
    const folder = folderOf({
      ...whole,
      'package.json': { dependencies: { 'gradsim-rain': '1.0.0', '@gradsim/core': VERSION } },
      'node_modules/gradsim-rain/node_modules/@gradsim/core/package.json': core(`${VERSION}7`),
      'node_modules/gradsim-rain/node_modules/@gradsim/core/core.js': '',
    });
    const [finding, ...others] = await ofPackages(folder);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ state: 'wrong', command: 'npm install @gradsim/core gradsim-rain' });
    expect(finding.text).toMatch(/^Two copies of @gradsim\/core are mixed: [\d.]+ in .* and [\d.]+ in /);
  });

  it('names a core with which the command cannot run', async () => {
    const folder = folderOf({ ...whole, 'node_modules/@gradsim/core/package.json': core('7.1.0') });
    const [finding] = await ofPackages(folder);
    expect(finding).toMatchObject({ state: 'wrong', command: 'npm install gradsim@latest @gradsim/core@latest' });
    expect(finding.text).toMatch(/^This folder has @gradsim\/core 7\.1\.0 .*cannot run: it needs one like /);
  });

  it('names a file that an interrupted installation left out', async () => {
    const { 'node_modules/gradsim-rain/rain.d.ts': _, ...rest } = whole;
    const [finding] = await ofPackages(folderOf(rest));
    expect(finding.text).toMatch(/^gradsim-rain 1\.0\.0 in .* lacks its file \.\/rain\.d\.ts\.$/);
    expect(finding.command).toBe('npm uninstall gradsim-rain && npm install gradsim-rain');
  });

  it('names a package.json that is no JSON, of the folder or of a package', async () => {
    for (const file of ['package.json', 'node_modules/@gradsim/core/package.json']) {
      const [finding] = await ofPackages(folderOf({ ...whole, [file]: '{"name": ' }));
      expect(finding.state).toBe('wrong');
      expect(finding.text).toContain(`${file} is not JSON`);
    }
  });
});

describe('gradsim doctor, of the machine', () => {
  it('refuses an old Node, and takes the oldest that the packages run on', () => {
    for (const version of ['18.20.4', '20.18.3']) expect(checkNode(version).state).toBe('wrong');
    for (const version of ['20.19.0', '22.3.0', '100.0.0']) expect(checkNode(version).state).toBe('ok');
    expect(checkNode('18.0.0').text).toContain('needs Node 20.19 or newer');
  });

  it('says of each device what it is, which one auto takes, and what brings one that is not there', async () => {
    const findings = await checkDevices(async () => [
      { name: 'cpu', description: 'WebAssembly SIMD, 2 threads', isAvailable: true, isDefault: true, isSoftware: true },
      {
        name: 'webgpu',
        description:
          'The device "webgpu" needs the package webgpu in Node: `npm install webgpu`. Or use the device "cpu".',
        isAvailable: false,
        isDefault: false,
        isSoftware: false,
      },
      { name: 'f64', description: 'WebAssembly is forbidden', isAvailable: false, isDefault: false, isSoftware: true },
    ]);
    expect(findings).toEqual([
      { about: 'device cpu', state: 'ok', text: 'WebAssembly SIMD, 2 threads. Taken by auto.' },
      expect.objectContaining({ about: 'device webgpu', state: 'missing', command: 'npm install webgpu' }),
      { about: 'device f64', state: 'wrong', text: 'WebAssembly is forbidden.' },
    ]);
  });

  it('tells a program ffmpeg that is not there from one that does not run, and from one without decoders', async () => {
    const bin = folderOf({});
    const ffmpegOf = async (): Promise<Finding> =>
      (await diagnose(temporaryFolder())).find(({ about }) => about === 'films ffmpeg')!;
    vi.stubEnv('PATH', bin);
    expect(await ffmpegOf()).toMatchObject({ state: 'missing', command: expect.stringContaining('ffmpeg') });
    if (process.platform === 'win32') return;
    const install = (script: string): void => {
      writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, 'ffmpeg'), 0o755);
    };
    install('echo "libx264.so: no such file" >&2; exit 127');
    expect(await ffmpegOf()).toMatchObject({
      state: 'wrong',
      text: 'The program ffmpeg does not run: exit code 127. libx264.so: no such file',
    });
    install('echo " VFS..D h264   H.264"; echo " VFS..D hevc   HEVC"; echo " V....D mjpeg   M"; echo " A....D av1  x"');
    expect(await ffmpegOf()).toMatchObject({
      state: 'wrong',
      text: 'The program ffmpeg has no decoder for av1, prores.',
    });
  });

  it('writes and reads a WebM', async () => {
    const webm = (await diagnose(temporaryFolder())).find(({ about }) => about === 'films webm');
    expect(webm).toEqual({ about: 'films webm', state: 'ok', text: 'WebM films with VP9 are written and read.' });
  });
});

it('gradsim doctor prints a line a finding, the command below it, and how many are wrong', async () => {
  const folder = folderOf({ 'package.json': { dependencies: { gradsim: '*' } } });
  const { code, stdout } = await gradsim(['doctor', folder]);
  expect(code).toBe(1);
  const at = stdout.findIndex((line) => line.startsWith('WRONG'));
  expect(stdout[at]).toMatch(/^WRONG +packages +The package\.json names gradsim, not installed here\.$/);
  expect(stdout[at + 1]).toMatch(/^ +\$ npm install$/);
  expect(stdout.at(-1)).toBe('1 thing is wrong.');
});

it('gradsim doctor refuses a folder that is not there', async () => {
  const { code, stderr } = await gradsim(['doctor', './nowhere']);
  expect(code).toBe(1);
  expect(stderr[0]).toMatch(/^There is no folder .*nowhere\. .*\[gradsim\/no-folder\]$/);
});
