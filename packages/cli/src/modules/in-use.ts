import { findPackage, type InstalledPackage } from './installed.ts';

/** One installation of a package, and who uses it. */
interface Copy {
  readonly installed: InstalledPackage;
  /** Names of packages, or such as `the experiment`. */
  readonly users: Set<string>;
}

/**
 * The packages that a run uses: those that are added, and all that these name as dependencies or peers, as far as they
 * are installed, each found from where the one that names it lies, as Node does.
 */
export class PackagesInUse {
  /** By name, then by folder. */
  readonly #copies = new Map<string, Map<string, Copy>>();

  /**
   * Adds a package and what it needs.
   * @throws when there are two copies now of a package that another one shares with its users, such as the core of
   * plugins: what one copy makes the other does not understand.
   */
  add(installed: InstalledPackage, user: string): void {
    this.#add(installed, user);
    const shared = this.#all().flatMap((copy) => copy.installed.shares);
    for (const name of new Set(shared)) {
      const [first, second] = this.#copies.get(name)?.values() ?? [];
      if (second) throw new Error(mixed(name, first, second));
    }
  }

  /** Version by name; of a package that is there in several versions, all. */
  versions(): Record<string, string> {
    const versions = new Map<string, string>();
    for (const [name, copies] of this.#copies) {
      const all = [...copies.values()].map(({ installed }) => installed.version);
      versions.set(name, [...new Set(all)].sort().join(', '));
    }
    return Object.fromEntries([...versions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #all(): Copy[] {
    return [...this.#copies.values()].flatMap((copies) => [...copies.values()]);
  }

  #add(installed: InstalledPackage, user: string): void {
    const { name, folder, needs } = installed;
    const copies = this.#copies.get(name) ?? new Map<string, Copy>();
    this.#copies.set(name, copies);
    const known = copies.get(folder);
    if (known) {
      known.users.add(user);
      return;
    }
    copies.set(folder, { installed, users: new Set([user]) });
    for (const need of needs) {
      const found = findPackage(need, folder);
      if (found) this.#add(found, name);
    }
  }
}

function mixed(name: string, ...copies: readonly Copy[]): string {
  const [first, second] = copies.map(
    ({ installed, users }) => `${installed.version} in ${installed.folder} (for ${[...users].join(', ')})`,
  );
  const users = copies.flatMap((copy) => [...copy.users].filter((user) => !user.startsWith('the ')));
  const packages = [...new Set([name, ...users])].sort().join(' ');
  return (
    `Two copies of ${name} are mixed: ${first} and ${second}. What one makes the other does not understand. ` +
    `Install all that use it in one place, the folder of the experiment: npm install ${packages}`
  );
}
