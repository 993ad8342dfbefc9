export { default } from '../src/config/config.ts';
