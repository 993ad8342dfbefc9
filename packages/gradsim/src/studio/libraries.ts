/** Packages that a kind of others may import in the studio, by name there and, after `gradsim/`, in this package. */
const PACKAGES = {
  articulated: () => import('@gradsim/articulated'),
  cameras: () => import('@gradsim/cameras'),
  cloth: () => import('@gradsim/cloth'),
  contact: () => import('@gradsim/contact'),
  core: () => import('@gradsim/core'),
  fem: () => import('@gradsim/fem'),
  film: () => import('@gradsim/film'),
  implicit: () => import('@gradsim/implicit'),
  kernel: () => import('@gradsim/kernel'),
  kinds: () => import('@gradsim/kinds'),
  mesh: () => import('@gradsim/mesh'),
  mpm: () => import('@gradsim/mpm'),
  optim: () => import('@gradsim/optim'),
  particles: () => import('@gradsim/particles'),
  rigid: () => import('@gradsim/rigid'),
  smoke: () => import('@gradsim/smoke'),
  springs: () => import('@gradsim/springs'),
  video: () => import('@gradsim/video'),
} as const;

type Load = () => Promise<object>;

/**
 * Modules of gradsim that a kind of others may import in the studio, by specifier. The studio's worker loads the very
 * copies that it uses itself; those that need files, which a page has none of, are left out.
 */
export const LIBRARIES: ReadonlyMap<string, Load> = new Map<string, Load>([
  ...Object.entries(PACKAGES).flatMap(([name, load]): [string, Load][] => [
    [`gradsim/${name}`, load],
    [`@gradsim/${name}`, load],
  ]),
  ['@gradsim/kinds/define', () => import('@gradsim/kinds/define')],
  ['@gradsim/dynamics', () => import('@gradsim/dynamics')],
  ['gradsim/physics', () => import('../parts/physics/physics.ts')],
  ['gradsim/render', () => import('../parts/render.ts')],
  ['@gradsim/render', () => import('@gradsim/render')],
  ['@gradsim/render-dibr', () => import('@gradsim/render-dibr')],
  ['@gradsim/render-softras', () => import('@gradsim/render-softras')],
]);
