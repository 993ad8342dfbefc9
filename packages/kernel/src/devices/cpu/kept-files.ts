/** Size of the folder above which its oldest files are deleted, bytes. */
const MAX_BYTES = 64 * 2 ** 20;
/** Bytes of a SHA-256 digest. */
const DIGEST_BYTES = 32;
/** Names of files that this class writes; whatever else the folder holds is left alone. */
const OWN_NAME = /^[0-9a-f]{64}(\.[0-9a-f]+)?$/;

/** Node's modules that files need; undefined before Node 20.16. Bundlers of pages would follow imports of them. */
function nodeModules() {
  const get = process.getBuiltinModule;
  return get && { fs: get('node:fs'), path: get('node:path'), os: get('node:os'), crypto: get('node:crypto') };
}
type NodeModules = NonNullable<ReturnType<typeof nodeModules>>;

/**
 * Folder of files that may be lost at any time: what cannot be read, or was damaged, counts as missing, and what cannot
 * be written is not kept. Several processes may use it at once.
 */
export class KeptFiles {
  readonly #node: NodeModules;
  readonly #folder: string;
  /** Bytes that may be written before the folder's size is looked at again. */
  #room = 0;

  private constructor(node: NodeModules, folder: string) {
    this.#node = node;
    this.#folder = folder;
  }

  /**
   * Returns the folder that the environment names in `GRADSIM_CACHE`, by default `gradsim` in the user's folder of caches.
   * Null if that is `off`, and where Node's modules or the user's folder are missing.
   */
  static open(): KeptFiles | null {
    const { GRADSIM_CACHE: own, XDG_CACHE_HOME: caches } = process.env;
    const node = nodeModules();
    if (!node || own === 'off') return null;
    try {
      const { os, path } = node;
      const folder = own || path.join(caches || path.join(os.homedir(), '.cache'), 'gradsim');
      if (openedFolder === null || openedFolder.#folder !== folder) openedFolder = new KeptFiles(node, folder);
      return openedFolder;
    } catch {
      return null;
    }
  }

  /** Returns the name of the file for what follows from these texts. */
  nameOf(texts: Iterable<string>): string {
    const hash = this.#node.crypto.createHash('sha256');
    for (const text of texts) hash.update(text);
    return hash.digest('hex');
  }

  /** Returns the content of a file; null if it is missing. */
  read(name: string): Buffer | null {
    const { fs, path } = this.#node;
    try {
      const file = fs.readFileSync(path.join(this.#folder, name));
      const content = file.subarray(DIGEST_BYTES);
      return this.#digest(content).equals(file.subarray(0, DIGEST_BYTES)) ? content : null;
    } catch {
      return null;
    }
  }

  write(name: string, content: Uint8Array): void {
    const { fs, path, crypto } = this.#node;
    const file = path.join(this.#folder, name);
    // Other processes and threads, of other machines too, read a file as a whole or not at all.
    const part = `${file}.${crypto.randomBytes(8).toString('hex')}`;
    try {
      if (this.#room <= 0) this.#room = this.#makeRoom();
      fs.writeFileSync(part, Buffer.concat([this.#digest(content), content]));
      fs.renameSync(part, file);
      this.#room -= DIGEST_BYTES + content.length;
    } catch {
      // A full disk or a folder of somebody else costs time only.
    }
  }

  /** Creates the folder; if it is too large, deletes its oldest files until half is left. Returns the bytes left to write. */
  #makeRoom(): number {
    const { fs, path } = this.#node;
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const own = fs.readdirSync(this.#folder).filter((name) => OWN_NAME.test(name));
    const files = own.map((name) => {
      const file = path.join(this.#folder, name);
      const { size, mtimeMs } = fs.statSync(file);
      return { file, size, mtimeMs };
    });
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes < MAX_BYTES) return MAX_BYTES - bytes;
    for (const { file, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= MAX_BYTES / 2) break;
      fs.rmSync(file, { force: true });
      bytes -= size;
    }
    return MAX_BYTES - bytes;
  }

  #digest(content: Uint8Array): Buffer {
    return this.#node.crypto.createHash('sha256').update(content).digest();
  }
}

/** Folder of this process. */
let openedFolder: KeptFiles | null = null;
