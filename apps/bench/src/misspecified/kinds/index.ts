import { ball } from './ball.ts';
import { pendulum } from './pendulum.ts';
import { toss } from './toss.ts';

export const KINDS = { toss, ball, pendulum };
export type KindName = keyof typeof KINDS;
