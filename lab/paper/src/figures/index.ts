import { figure3 } from './blends/figure.ts';
import { figure6 } from './control/figure.ts';
import { figure5 } from './control/pictures-figure.ts';
import { figure7 } from './cues/figure.ts';
import type { AnyFigure } from './figure.ts';
import { figure4 } from './landscapes/figure.ts';
import { figure12 } from './landscapes/frames-figure.ts';
import { figure11 } from './landscapes/reinforce-figure.ts';

/** Figures of the paper, by its numbers. */
export const FIGURES: readonly AnyFigure[] = [figure3, figure4, figure5, figure6, figure7, figure11, figure12];
