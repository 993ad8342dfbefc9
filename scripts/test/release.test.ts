// What `npm run release -- --dry` checks of packages, and the registry of this machine that it publishes to.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { startRegistry } from '../pack/local-registry.js';
import { problemOfRepository, problemsOfRelease } from '../pack/release.js';
import { pack, publishedPackages } from '../packages.js';

/** A package file with these files: a tar of ustar records, gzipped. */
function tarballOf(files: Readonly<Record<string, string>>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${path}`, 0);
    header.write('0000644\0', 100);
    header.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124);
    header.write('        0', 148);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const content = Buffer.alloc(512 * Math.ceil(Buffer.byteLength(text) / 512));
    content.write(text);
    return [header, content];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const springs = publishedPackages().find(({ name }) => name === '@gradsim/springs')!;

it('a package as it is packed has no problems', async () => {
  expect(await problemsOfRelease(springs, pack(springs.folder))).toEqual([]);
});

it('each thing that a package must not be published with is named', async () => {
  const manifest = {
    name: '@gradsim/springs',
    license: 'ISC',
    dependencies: { '@gradsim/core': 'workspace:^' },
    peerDependencies: { '@gradsim/particles': '0.x' },
  };
  const broken = tarballOf({ 'package.json': JSON.stringify(manifest), LICENSE: 'MIT', 'test/a.test.ts': '' });
  expect(await problemsOfRelease(springs, broken)).toEqual([
    '@gradsim/springs: README.md is not in the package.',
    '@gradsim/springs: test/a.test.ts is in the package, where it is of no use.',
    '@gradsim/springs: It asks for @gradsim/core "workspace:^", which is no version.',
    '@gradsim/springs: Its peer @gradsim/particles "0.x" is not of one minor version.',
    '@gradsim/springs: Its licence is "ISC".',
  ]);
});

it('a package names its repository where the environment does, and a release without an address is refused', () => {
  expect(problemOfRepository(undefined)).toMatch(/^GRADSIM_REPOSITORY is not set: .*https:\/\/HOST\/OWNER\/NAME/);
  for (const address of ['github.com/a/b', 'https://host', 'https://host/a/'])
    expect(problemOfRepository(address)).toContain(`"${address}"`);
  expect(problemOfRepository('https://host/a/b')).toBeUndefined();
  const { hooks } = createRequire(import.meta.url)('../../.pnpmfile.cjs');
  const manifest = {
    name: '@gradsim/springs',
    exports: { '.': { '@gradsim/source': './src/index.ts', default: './a.js' } },
  };
  expect(hooks.beforePacking(manifest)).toEqual({ name: '@gradsim/springs', exports: { '.': { default: './a.js' } } });
  onTestFinished(() => void delete process.env.GRADSIM_REPOSITORY);
  process.env.GRADSIM_REPOSITORY = 'https://host/a/b';
  expect(hooks.beforePacking(manifest).repository).toEqual({
    type: 'git',
    url: 'git+https://host/a/b.git',
    directory: 'packages/springs',
  });
});

it('every published package has left 0.0.0, and its change log begins with its version', () => {
  for (const { name, folder } of publishedPackages()) {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect({ name, isFirst: version === '0.0.0' }).toEqual({ name, isFirst: false });
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^# ${name}\n\n## ${version}\n`));
  }
});

/** Runs npm as a user of the registry, in a folder; returns its exit code and what it printed. */
function npm(folder: string, settings: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
  const env = { ...process.env, npm_config_userconfig: settings, npm_config_cache: join(folder, '../cache') };
  delete (env as NodeJS.ProcessEnv).npm_config_registry;
  const child = spawn('npm', args, { cwd: folder, env, shell: process.platform === 'win32' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

it('the registry takes what npm publishes, once, and gives it to who installs; others come from upstream', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const asked: string[] = [];
  const upstream = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  const registry = await startRegistry(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/npm/`);
  onTestFinished(() => {
    registry.close();
    upstream.closeAllConnections();
    upstream.close();
  });
  const settings = join(folder, 'npmrc');
  const { host } = new URL(registry.address);
  writeFileSync(settings, `registry=${registry.address}\n//${host}/:_authToken=nobody\nfetch-retries=0\n`);
  const manifest = { name: '@someone/thing', version: '1.2.3', main: 'index.js', license: 'MIT' };
  const file = join(folder, 'thing.tgz');
  writeFileSync(file, tarballOf({ 'package.json': JSON.stringify(manifest), 'index.js': 'module.exports = 7;' }));
  const publish = () => npm(folder, settings, 'publish', '--access', 'public', '--loglevel=error', file);
  expect(await publish()).toMatchObject({ code: 0 });
  expect(registry.names()).toEqual(['@someone/thing']);
  const again = await publish();
  expect(again.code).not.toBe(0);

  const place = join(folder, 'place');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  const install = (name: string) => npm(place, settings, 'install', '--no-audit', '--no-fund', name);
  expect(await install('@someone/thing')).toMatchObject({ code: 0 });
  expect(readFileSync(join(place, 'node_modules/@someone/thing/index.js'), 'utf8')).toBe('module.exports = 7;');
  expect((await install('@someone/other')).code).not.toBe(0);
  expect(asked).toContain('/npm/@someone%2fother');
  expect(existsSync(join(place, 'node_modules/@someone/other'))).toBe(false);
});
