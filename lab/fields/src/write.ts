// Writes docs/reference/fields.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.ts';
import { fieldsPage } from './page.ts';

const { text } = await fieldsPage();
writeFileSync(join(root, 'docs/reference/fields.md'), text);
