export * from '@gradsim/kinds/define';
export { ball } from './ball/index.ts';
export { beam } from './beam/index.ts';
export { body } from './body/index.ts';
export { KINDS } from './list.ts';
export { markers } from './markers/index.ts';
export { pendulum } from './pendulum/index.ts';
export { slide } from './slide/index.ts';
export { toss } from './toss/index.ts';
