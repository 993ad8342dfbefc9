import type { Kind } from '@gradsim/kinds/define';
import { ball } from './ball/index.ts';
import { beam } from './beam/index.ts';
import { body } from './body/index.ts';
import { cart } from './cart/index.ts';
import { chain } from './chain/index.ts';
import { collision } from './collision/index.ts';
import { conical } from './conical/index.ts';
import { filter } from './filter/index.ts';
import { flight } from './flight/index.ts';
import { markers } from './markers/index.ts';
import { pendulum } from './pendulum/index.ts';
import { rod } from './rod/index.ts';
import { roll } from './roll/index.ts';
import { slide } from './slide/index.ts';
import { spin } from './spin/index.ts';
import { spring } from './spring/index.ts';
import { toss } from './toss/index.ts';

/** Kinds of experiments of this package. */
export const KINDS: readonly Kind[] = [
  ball,
  flight,
  filter,
  pendulum,
  conical,
  chain,
  rod,
  spin,
  spring,
  roll,
  cart,
  collision,
  slide,
  toss,
  beam,
  body,
  markers,
];
