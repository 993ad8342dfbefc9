import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { serveStudio } from '../../src/studio/serve.ts';
import { temporaryFolder } from '../support.ts';

describe('the server of the studio', () => {
  let server: Server;
  let port: number;
  let film: string;

  beforeEach(async () => {
    const folder = temporaryFolder();
    const page = join(folder, 'page');
    mkdirSync(join(page, 'assets'), { recursive: true });
    writeFileSync(join(page, 'index.html'), 'the page');
    writeFileSync(join(page, 'assets/a.js'), 'export {};');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    symlinkSync('loop', join(page, 'loop'));
    film = join(folder, 'a film of 100 %.html');
    writeFileSync(film, 'frames');
    ({ server } = await serveStudio(
      { folder: page, film, kinds: [{ name: 'drop', text: 'export const a = "é";' }] },
      0,
    ));
    port = (server.address() as { port: number }).port;
    return () => {
      server.closeAllConnections();
      server.close();
    };
  });

  /** Sends bytes, and returns all that comes back. */
  async function raw(bytes: string): Promise<string> {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => {});
    await Promise.race([new Promise((done) => socket.once('close', done)), after(5000)]);
    socket.destroy();
    return answer;
  }
  const ask = (target: string, ...headers: string[]): Promise<string> =>
    raw([`GET ${target} HTTP/1.1`, `Host: localhost:${port}`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

  it('answers requests that no browser makes with a status, and the next one with the page', async () => {
    const targets = {
      '/%00': 404,
      [`/${'a'.repeat(300)}`]: 404,
      [`/${'a'.repeat(5000)}`]: 404,
      '//': 200,
      '//elsewhere.example/': 404,
      '/index.html/x': 404,
      'http://[': 400,
      '/loop': 500,
      '/loop/x': 500,
      '/%E0%A4%A': 404,
      '/assets': 404,
      '/../secret.txt': 404,
      '/%2e%2e/secret.txt': 404,
      '/..%5csecret.txt': 404,
      __proto__: 400,
      '*': 400,
    };
    for (const [target, status] of Object.entries(targets)) {
      const answer = await ask(target);
      expect(statusOf(answer), target).toBe(status);
      if (status !== 200) expect(answer, target).not.toMatch(/secret|the page/);
      expect(await ask('/'), `after ${target}`).toMatch(/^HTTP\/1\.1 200 .*the page$/s);
    }
  });

  it('answers any bytes, and goes on', async () => {
    const seed = seedOfRun('requests to the studio');
    const uniform = randomNumbers(seed);
    const random = (below: number): number => Math.floor(below * uniform());
    const parts = ['/', '%', '00', '..', '\\', '//', 'film', 'index.html', '?', '#', '[', ':', '%2f', '\x80', 'é', ' '];
    for (let k = 0; k < 200; k++) {
      const target = `/${Array.from({ length: random(12) }, () => parts[random(parts.length)]).join('')}`;
      const range = random(3) === 0 ? [`Range: bytes=${random(9)}-${random(9)}`] : [];
      const answer = await ask(target, ...range);
      const status = statusOf(answer);
      expect(status >= 200 && status < 500, `seed ${seed}: ${JSON.stringify(target)} gives ${answer}`).toBe(true);
    }
    expect(statusOf(await ask('/'))).toBe(200);
  });

  it('answers pages of this machine alone, and lets no other page load what it sends', async () => {
    expect(statusOf(await raw('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'))).toBe(403);
    expect(statusOf(await ask('/', 'Origin: http://evil.example'))).toBe(403);
    expect(statusOf(await ask('/', 'Origin: null'))).toBe(403);
    expect(statusOf(await ask('/', `Origin: http://localhost:${port}`))).toBe(200);
    expect(statusOf(await raw(`POST / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`))).toBe(405);
    for (const target of ['/', '/film', '/assets/a.js', '/none'])
      expect(await ask(target), target).toMatch(/cross-origin-resource-policy: same-origin\r\n/i);
  });

  it('serves the files of kinds, and no others of that name', async () => {
    expect(await ask('/kinds/drop.js')).toMatch(
      /content-type: text\/javascript; charset=utf-8\r\n.*export const a = "é";$/is,
    );
    expect(await ask('/kinds/drop.js')).toMatch(/content-security-policy: .*\r\n/i);
    for (const target of ['/kinds/other.js', '/kinds/drop', '/kinds/', '/kinds/../secret.txt'])
      expect(statusOf(await ask(target)), target).toBe(404);
  });

  it('serves the film as bytes whatever its name, also in part, and a film that is gone as none', async () => {
    expect(await ask('/film')).toMatch(/content-type: application\/octet-stream\r\n.*frames$/is);
    expect(await ask('/film?x', 'Range: bytes=1-2')).toMatch(/^HTTP\/1\.1 206 .*\r\n\r\nra$/s);
    rmSync(film);
    expect(statusOf(await ask('/film'))).toBe(404);
    mkdirSync(film);
    expect(statusOf(await ask('/film'))).toBe(404);
  });
});
