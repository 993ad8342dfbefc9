// Loaded with `--import` before a program: `@gradsim/dynamics` is `old-physics.js` for all packages but that one.
import { register } from 'node:module';

const old = new URL('./old-physics.js', import.meta.url).href;
const hooks = `export const resolve = (specifier, context, next) =>
  specifier === '@gradsim/dynamics' && context.parentURL !== ${JSON.stringify(old)}
    ? { url: ${JSON.stringify(old)}, shortCircuit: true }
    : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
