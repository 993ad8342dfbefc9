import { readFileSync } from 'node:fs';
import { GradsimError } from '@gradsim/base';

/** Version ranges by package: those that a new project is built and tested with. */
export type Versions = Readonly<Record<string, string>>;

const manifestFile = new URL('../package.json', import.meta.url);

/**
 * Versions of the packages that this release's templates were tested with, from this package's own package.json.
 * @throws in the repository, where packages have no versions: only the packed package has them.
 */
export function releasedVersions(): Versions {
  const { devDependencies }: { devDependencies: Versions } = JSON.parse(readFileSync(manifestFile, 'utf8'));
  for (const [name, range] of Object.entries(devDependencies)) {
    if (/^(workspace|catalog):/.test(range))
      throw new GradsimError(
        'create-gradsim/not-packed',
        `This is the source of create-gradsim, in which ${name} has the version "${range}", which npm cannot install.`,
        { hint: 'Run the packed package: npm create gradsim TEMPLATE NAME.' },
      );
  }
  return devDependencies;
}
