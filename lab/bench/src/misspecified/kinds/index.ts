import { arm } from './arm.ts';
import { ball } from './ball.ts';
import { beam } from './beam.ts';
import { cloth } from './cloth.ts';
import { pendulum } from './pendulum.ts';
import { slide } from './slide.ts';
import { toss } from './toss.ts';

export const KINDS = { toss, ball, pendulum, slide, beam, cloth, arm };
export type KindName = keyof typeof KINDS;
