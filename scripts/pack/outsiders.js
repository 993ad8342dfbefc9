// The programs of lab/outsiders, all or those named, where only packed packages are: npm run -s outsiders -- NAMES.
// Each prints a line of JSON, with the error of its gradient and its seconds.
import { orExit, setUp } from '../setup.js';

orExit(setUp);
// Loaded only now: on a fresh machine their dependencies come with the set-up.
const { elsewhere } = await import('./install-packed.js');
const { installForOutsiders, outsiders, runOutsider } = await import('./outsider-programs.js');

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !outsiders.includes(name));
if (unknown.length > 0) {
  console.error(`There is no program ${unknown.join(', ')}; choose of: ${outsiders.join(', ')}.`);
  process.exit(1);
}
await elsewhere((folder) => {
  installForOutsiders(folder);
  for (const name of asked.length > 0 ? asked : outsiders) console.log(runOutsider(folder, name));
});
