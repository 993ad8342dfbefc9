import type { BoundKernel, CodeSource } from '../../emit/bound-kernel.ts';
import type { ExecutorSpec } from '../../emit/executor-spec.ts';
import { formText } from '../../emit/form-text.ts';
import type { WasmModule } from '../../emit/wasm/module.ts';
import { KeptFiles } from './kept-files.ts';

/** Digest of this package's code, which its bundle for Node states: other code may write other modules. */
declare const __CODE__: string | undefined;

/** Bytes of the length of a file's head. */
const LENGTH_BYTES = 4;

/** A module without its bytes, as a file begins with it. */
interface Head extends Omit<WasmModule, 'bytes' | 'constants'> {
  readonly constants: readonly number[];
}

/**
 * Returns the modules on disk of a specification. Null if none are kept: the cache is off, this is not the built package,
 * or a kernel does not say what its code follows from.
 */
export function modulesOf(spec: ExecutorSpec): ModuleFiles | null {
  const files = typeof __CODE__ === 'undefined' ? null : KeptFiles.open();
  const texts = files && textsOf(spec);
  return texts && new ModuleFiles(files, spec, texts);
}

/** Modules on disk of one specification, one for each address in memory and number of threads. */
export class ModuleFiles {
  readonly #files: KeptFiles;
  readonly #spec: ExecutorSpec;
  readonly #name: string;

  constructor(files: KeptFiles, spec: ExecutorSpec, texts: readonly string[]) {
    this.#files = files;
    this.#spec = spec;
    // Constants are folded by functions of the engine.
    this.#name = files.nameOf([`${__CODE__} ${process.versions.v8} ${process.arch}\n`, ...texts]);
  }

  /** Returns the work of each program, see `sharedWork`; null if it is not known. */
  work(): readonly number[] | null {
    const content = this.#files.read(this.#name);
    return content && JSON.parse(content.toString());
  }

  /**
   * Returns a module; null if it is not known.
   * @param key text of what it depends on besides the specification.
   */
  module(key: string, threads: number): WasmModule | null {
    const content = this.#files.read(this.#nameOf(key, threads));
    if (!content) return null;
    const end = LENGTH_BYTES + content.readUInt32LE();
    const { constants, ...head }: Head = JSON.parse(content.toString('utf8', LENGTH_BYTES, end));
    return { ...head, constants: Int32Array.from(constants), bytes: new Uint8Array(content.subarray(end)) };
  }

  keep(key: string, threads: number, { bytes, constants, ...rest }: WasmModule, work: readonly number[]): void {
    const head = Buffer.from(JSON.stringify({ ...rest, constants: [...constants] } satisfies Head));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(head.length);
    this.#files.write(this.#name, Buffer.from(JSON.stringify(work)));
    this.#files.write(this.#nameOf(key, threads), Buffer.concat([length, head, bytes]));
  }

  /** Name of the file of a module. Barriers of several threads depend on what each kernel reads and writes. */
  #nameOf(key: string, threads: number): string {
    return this.#files.nameOf([`${this.#name} ${key}`, threads > 1 ? footprintsOf(this.#spec) : '']);
  }
}

/** Returns texts that two specifications have in common only if their code is the same; null if that is not known. */
function textsOf({ f32Words, u32Words, registers, programs }: ExecutorSpec): string[] | null {
  const texts = [`${f32Words} ${u32Words} ${registers}\n`];
  const sources = new Map<CodeSource, number>();
  const kernels = new Map<BoundKernel, number>();
  for (const program of programs) {
    let text = '';
    for (const kernel of program.kernels) {
      const { source, bases, invocations, isPartitionable } = kernel;
      const number = kernels.get(kernel);
      text += `${number}: `;
      if (number !== undefined) continue;
      kernels.set(kernel, kernels.size);
      // Kernels of one source may share a function, those of equal sources do not.
      if (!sources.has(source)) {
        const form = formText(source.form);
        if (form === null || source.placing === undefined) return null;
        text += `${form}\n${source.placing}\n`;
        sources.set(source, sources.size);
      }
      text += `${sources.get(source)} ${bases} ${invocations} ${isPartitionable}\n`;
    }
    texts.push(`${text}\n`);
  }
  return texts;
}

/** Returns what the kernels read and write, with regions by number. */
function footprintsOf({ programs }: ExecutorSpec): string {
  const regions = new Map<string | symbol, number>();
  const numberOf = (region: string | symbol): number => {
    if (!regions.has(region)) regions.set(region, regions.size);
    return regions.get(region)!;
  };
  const text = (accesses: BoundKernel['reads']): string =>
    accesses.map(({ region, arena, from, to, isOwn }) => `${numberOf(region)} ${arena} ${from} ${to} ${isOwn}`).join();
  return programs
    .flatMap(({ kernels }) =>
      kernels.map(({ grouping, reads, writes }) => `${grouping};${text(reads)};${text(writes)}`),
    )
    .join('\n');
}
