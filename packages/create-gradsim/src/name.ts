import { GradsimError } from '@gradsim/base';
import validate from 'validate-npm-package-name';

/**
 * @param needed names of packages that the project itself depends on.
 * @throws for a name that npm would refuse for a new package, and for one of those packages.
 */
export function checkName(name: string, needed: readonly string[]): void {
  const { validForNewPackages, errors = [], warnings = [] } = validate(name);
  if (!validForNewPackages) {
    const near = suggestion(name);
    throw new GradsimError(
      'create-gradsim/name-invalid',
      `"${name}" cannot be the name of an npm package: ${[...errors, ...warnings].join('; ')}.`,
      { hint: near && near !== name ? `A valid name near it is "${near}".` : undefined },
    );
  }
  if (needed.includes(name))
    throw new GradsimError(
      'create-gradsim/name-taken',
      `A project cannot have the name ${name}, of a package that it is built with.`,
      { hint: 'Choose another.' },
    );
}

/**
 * Returns the name in lower case with runs of other characters replaced by hyphens; undefined if that is no valid npm
 * name.
 */
function suggestion(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain && validate(plain).validForNewPackages ? plain : undefined;
}
