// Links the modules of a kind of others, which its file holds, with each other and with the packages of this worker.
import { isKind, type Kind } from '@gradsim/kinds';
import type { KindFile } from '../../../../packages/gradsim/src/studio/kind-file.ts';
import { LIBRARIES } from '../../../../packages/gradsim/src/studio/libraries.ts';

interface Started {
  readonly exports: Record<string, unknown>;
  readonly done: Promise<void>;
  /** Numbers of the modules that it has imported so far. */
  readonly imports: Set<number>;
  isDone: boolean;
}

/**
 * Evaluates the modules of a kind's file, and returns the kind.
 * @throws what they throw, and a sentence for an import that the file does not hold.
 */
export async function linkKind({ shown, importFrom, modules }: KindFile): Promise<Kind> {
  const started = new Map<number, Started>();

  function start(id: number): Started {
    const known = started.get(id);
    if (known) return known;
    const exports = {};
    const imports = new Set<number>();
    // Begins once the module is registered, since its imports may ask for it.
    const done = Promise.resolve()
      .then(() => modules[id].run(exports, (specifier) => importIn(id, specifier)))
      .finally(() => {
        module.isDone = true;
      });
    const module: Started = { exports, done, imports, isDone: false };
    started.set(id, module);
    return module;
  }

  async function importIn(importer: number, specifier: string): Promise<object> {
    const to = modules[importer].imports[specifier];
    if (typeof to === 'string') return LIBRARIES.get(to)!();
    if (typeof to !== 'number')
      throw new Error(
        `The kind ${shown.name} cannot run here: ${to?.refused ?? `it computes the name ${specifier} of an import`}.`,
      );
    const module = start(to);
    if (waitsFor(to, importer)) return module.exports;
    started.get(importer)!.imports.add(to);
    await module.done;
    return module.exports;
  }

  /** True if the module is `other`, or waits, directly or indirectly, for it. */
  function waitsFor(id: number, other: number, seen = new Set<number>()): boolean {
    if (id === other) return true;
    const { isDone, imports } = started.get(id)!;
    if (isDone || seen.has(id)) return false;
    seen.add(id);
    return [...imports].some((next) => waitsFor(next, other, seen));
  }

  const { exports, done } = start(0);
  await done;
  const kind = exports[importFrom.name];
  if (isKind(kind)) return kind;
  throw new Error(`The module of the kind ${shown.name} exports no kind ${importFrom.name} here.`);
}
