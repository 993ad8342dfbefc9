export { textOf } from '@gradsim/kernel/text';
