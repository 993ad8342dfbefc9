import type { Material } from '../material.ts';
import { clay } from './clay.ts';
import { elastic } from './elastic.ts';
import { liquid } from './liquid.ts';
import { sand } from './sand.ts';
import { snow } from './snow.ts';

/** All materials. */
export const MATERIALS: readonly Material[] = [elastic, liquid, sand, clay, snow];
