export { textOf } from '@gradsim/base/text';
