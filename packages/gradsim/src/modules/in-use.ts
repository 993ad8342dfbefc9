import { GradsimError } from '@gradsim/core';
import { findPackage, type InstalledPackage } from './installed.ts';

/** One installed copy of a package, and what imports it. */
interface Copy {
  readonly installed: InstalledPackage;
  /** Importers that are not packages: `the experiment`, `the command`. */
  readonly importers: Set<string>;
  /** Names of the packages that depend on it. */
  readonly packages: Set<string>;
}

/**
 * Packages that a run uses: the added ones, and their installed dependencies and peers, each resolved from the folder
 * of the package that depends on it, as Node does.
 */
export class PackagesInUse {
  /** Copies by name, then by folder. */
  readonly #copies = new Map<string, Map<string, Copy>>();

  /**
   * Adds a package and its dependencies.
   * @param importer its importer, such as `the experiment`
   * @throws if there are now two copies of a package that imported packages share with their users, such as the core of
   * plugins: objects of one copy are invalid in the other.
   */
  add(installed: InstalledPackage, importer: string): void {
    this.#add(installed).importers.add(importer);
    const [mixed] = this.mixed();
    if (!mixed) return;
    const { problem, command } = mixed;
    throw new GradsimError('gradsim/versions-apart', problem, {
      hint: `Install all that use it in one place, the folder of the experiment: ${command}`,
    });
  }

  /** Packages of which two copies are mixed, each with a sentence, and the command that prevents it. */
  mixed(): { readonly name: string; readonly problem: string; readonly command: string }[] {
    return [...this.#shared()].flatMap((name) => {
      const [first, second] = this.#copiesOf(name);
      return second ? [{ name, ...mixOf(name, first, second) }] : [];
    });
  }

  /** True if a package is in use. */
  has(name: string): boolean {
    return this.#copies.has(name);
  }

  /** Installed version by package name; several versions, if several copies are in use, as one text. */
  versions(): Record<string, string> {
    const versions = new Map<string, string>();
    for (const [name, copies] of this.#copies) {
      const all = [...copies.values()].map(({ installed }) => installed.version);
      versions.set(name, [...new Set(all)].sort().join(', '));
    }
    return Object.fromEntries([...versions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #copiesOf(name: string): Copy[] {
    return [...(this.#copies.get(name)?.values() ?? [])];
  }

  /** Names of packages that imported packages share with their users through peer dependencies, transitively. */
  #shared(): Set<string> {
    const shared = new Set<string>();
    const sharing = [...this.#copies.keys()]
      .flatMap((name) => this.#copiesOf(name))
      .filter(({ importers }) => importers.size > 0);
    for (const { installed } of sharing) {
      for (const name of installed.shares) {
        if (shared.has(name)) continue;
        shared.add(name);
        sharing.push(...this.#copiesOf(name));
      }
    }
    return shared;
  }

  #add(installed: InstalledPackage): Copy {
    const { name, folder, needs } = installed;
    const copies = this.#copies.get(name) ?? new Map<string, Copy>();
    this.#copies.set(name, copies);
    const known = copies.get(folder);
    if (known) return known;
    const copy: Copy = { installed, importers: new Set(), packages: new Set() };
    copies.set(folder, copy);
    for (const need of needs) {
      const found = findPackage(need, folder);
      if (found) this.#add(found).packages.add(name);
    }
    return copy;
  }
}

function mixOf(name: string, ...copies: readonly Copy[]) {
  const [first, second] = copies.map(
    ({ installed: { version, folder }, importers, packages }) =>
      `${version} in ${folder} (for ${[...importers, ...packages].join(', ')})`,
  );
  const packages = [...new Set([name, ...copies.flatMap((copy) => [...copy.packages])])].sort().join(' ');
  return {
    problem: `Two copies of ${name} are mixed: ${first} and ${second}. What one makes the other does not understand.`,
    command: `npm install ${packages}`,
  };
}
