// Packs packages as they would be published, with those of ours that they need, and prints the command that installs them:
// until they are published, this is how to get them. `npm run -s pack -- gradsim create-gradsim`, into out/packages; all by default.
import { publishedPackages } from '../packages.js';
import { orExit, setUp } from '../setup.js';
import { packageNames, packTarballs } from './tarballs.js';

try {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? packageNames(asked) : publishedPackages().map(({ name }) => name);
  orExit(() => setUp(['packages']));
  console.log(`npm install ${packTarballs(names).join(' ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
