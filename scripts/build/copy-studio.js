// Copies the built page of apps/studio into the package in this folder, which serves it by `gradsim studio`.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.js';

rmSync('dist/studio-page', { recursive: true, force: true });
cpSync(join(root, 'apps/studio/dist'), 'dist/studio-page', { recursive: true });
