import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';

/** Outcome required of anything that stands where a file is wanted. */
export const RULES: Readonly<Record<string, 'as the file' | 'refused'>> = {
  'the file': 'as the file',
  'a link to the file': 'as the file',
  'a link to a link': 'as the file',
  'a folder': 'refused',
  'a pipe': 'refused',
  'a link to a pipe': 'refused',
  'a socket': 'refused',
  'a device': 'refused',
  'a link to a device': 'refused',
  'a link to nothing': 'refused',
  'a link to itself': 'refused',
  nothing: 'refused',
  'a file below a file': 'refused',
  'a name that is too long': 'refused',
  'an empty file': 'refused',
};

/** Makes what stands where a file is wanted. */
export class Things {
  #sockets: Server[] = [];

  /**
   * Makes what a rule is about, and returns its path.
   * @param good the file that is wanted.
   * @param path where it stands, in a folder of its own.
   */
  async make(rule: string, good: string, path: string): Promise<string> {
    const place = dirname(path);
    const other = join(place, 'other');
    const pipe = (at: string): unknown => spawnSync('mkfifo', [at]);
    if (rule === 'the file') copyFileSync(good, path);
    if (rule === 'a link to the file') symlinkSync(good, path);
    if (rule === 'a link to a link') {
      symlinkSync(good, other);
      symlinkSync(other, path);
    }
    if (rule === 'a folder') mkdirSync(path);
    if (rule === 'a pipe') pipe(path);
    if (rule === 'a link to a pipe') {
      pipe(other);
      symlinkSync(other, path);
    }
    if (rule === 'a socket') {
      const socket = createServer();
      this.#sockets.push(socket);
      await new Promise<void>((done) => socket.listen(path, done));
    }
    if (rule === 'a device') return '/dev/zero';
    if (rule === 'a link to a device') symlinkSync('/dev/zero', path);
    if (rule === 'a link to nothing') symlinkSync(join(place, 'none'), path);
    if (rule === 'a link to itself') symlinkSync(path, path);
    if (rule === 'a file below a file') return join(good, basename(path));
    if (rule === 'a name that is too long') return join(place, `${'a'.repeat(300)}-${basename(path)}`);
    if (rule === 'an empty file') writeFileSync(path, '');
    return path;
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}
