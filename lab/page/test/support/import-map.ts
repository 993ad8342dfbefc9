import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Site } from '../../src/visit.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/reference/pages.md');

/** Creates a page of an installed application without a bundler, with the import map of the documentation. */
export function unbundled(folder: string, entry = 'page'): Site {
  const map = /<script type="importmap">.*?<\/script>/s.exec(readFileSync(PAGE, 'utf8'))![0];
  const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${map}<script type="module" src="/program/${entry}.js"></script>`;
  const root = join(folder, 'unbundled');
  layFlat(folder, join(root, 'node_modules'));
  symlinkSync(join(folder, 'program'), join(root, 'program'));
  return { html, folder: root };
}

/** Links all packages of an installed application into one flat folder, as npm installs them. */
function layFlat(folder: string, flat: string): void {
  const queue = [join(folder, 'node_modules')];
  for (const modules of queue) {
    for (const name of namesIn(modules)) {
      const place = join(flat, name);
      if (existsSync(place)) continue;
      const real = realpathSync(join(modules, name));
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(real, place);
      // Beside a package lie those that it needs.
      queue.push(join(real, ...name.split('/').map(() => '..')));
    }
  }
}

const namesIn = (modules: string): string[] =>
  basename(modules) === 'node_modules'
    ? readdirSync(modules)
        .filter((name) => !name.startsWith('.'))
        .flatMap((name) =>
          name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
        )
        .filter((name) => !realpathSync(join(modules, name)).endsWith(`${sep}node_modules`))
    : [];
