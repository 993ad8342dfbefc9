// How the sources of each package and app lie in their folders, from the imports themselves; a line each. `files`;
// `widestFolder` with its number of files; `arrows`: imports from one folder to another; `arrowsUp`: the fewest of them
// without which the folders beside each other, at every depth, have an order; `valueCycles`, `typeCycles`: sets of files
// that import each other in a circle when running, and for types alone. `--of NAME` takes one; `--table` names what points
// up and what goes in circles.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { roomsOf } from './rooms/rooms.ts';
import { print } from './support/options.ts';

const { values } = parseArgs({ options: { of: { type: 'string', default: '' }, table: { type: 'boolean' } } });
const root = fileURLToPath(new URL('../../..', import.meta.url));
const total = { files: 0, arrows: 0, arrowsUp: 0, valueCycles: 0, typeCycles: 0 };
for (const group of ['packages', 'apps', 'lab'])
  for (const name of readdirSync(join(root, group)).sort()) {
    const src = join(root, group, name, 'src');
    if (!existsSync(src) || !name.includes(values.of)) continue;
    const { widestFolder, up, valueCycles, typeCycles, ...counts } = roomsOf(src);
    const line = {
      ...counts,
      arrowsUp: up.reduce((sum, { count }) => sum + count, 0),
      valueCycles: valueCycles.length,
      typeCycles: typeCycles.length,
    };
    print({ bench: 'rooms', of: `${group}/${name}`, widestFolder, ...line });
    for (const key of ['files', 'arrows', 'arrowsUp', 'valueCycles', 'typeCycles'] as const) total[key] += line[key];
    if (!values.table) continue;
    for (const { from, to, count } of up) console.log(`  up: ${from} -> ${to} (${count})`);
    for (const files of valueCycles) console.log(`  circle of values: ${files.join(', ')}`);
    for (const files of typeCycles) console.log(`  circle of types: ${files.join(', ')}`);
  }
print({ bench: 'rooms', of: 'all', ...total });
