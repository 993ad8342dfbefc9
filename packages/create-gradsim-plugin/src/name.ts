import validate from 'validate-npm-package-name';
import type { Versions } from './versions.ts';

/** @throws for what npm would not take for the name of a new package, and for what the plugin itself is built with. */
export function checkName(name: string, versions: Versions): void {
  const { validForNewPackages, errors = [], warnings = [] } = validate(name);
  if (!validForNewPackages) {
    const near = suggestion(name);
    const advice = near && near !== name ? ` "${near}" can be.` : '';
    throw new Error(`"${name}" cannot be the name of an npm package: ${[...errors, ...warnings].join('; ')}.${advice}`);
  }
  if (name in versions)
    throw new Error(`A plugin cannot have the name ${name}, of a package that it is built with; choose another.`);
}

/** Returns the name in characters that npm allows, if any are left. */
function suggestion(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain && validate(plain).validForNewPackages ? plain : undefined;
}
