/** Template of a project, for the command line. */
interface Template {
  /** Description of the project, in a few words. */
  readonly what: string;
  /** Name of the project in the template's files, in place of which the given name is written. */
  readonly placeholder: string;
  /** Commands after `npm install`. */
  readonly steps: readonly string[];
  /** Sentence about where to go on. */
  readonly next: string;
}

/** Templates by name; the files of each are in `template/NAME`. */
export const TEMPLATES = {
  experiment: {
    what: 'estimates from data of your own',
    placeholder: 'my-experiment',
    steps: ['npm run estimate'],
    next: 'What was measured is in measured.csv, the model in fall.ts.',
  },
  vite: {
    what: 'a page that simulates, with Vite',
    placeholder: 'my-page',
    steps: ['npm run dev'],
    next: 'The simulation is in src/main.ts.',
  },
  next: {
    what: 'a page that simulates, with Next.js',
    placeholder: 'my-site',
    steps: ['npm run dev'],
    next: 'The simulation is in app/ball.tsx.',
  },
  node: {
    what: 'a script for Node: a simulation and its gradient',
    placeholder: 'my-script',
    steps: ['npm start'],
    next: 'The simulation is in fall.js.',
  },
  plugin: {
    what: 'a package with a force, its tests and an experiment',
    placeholder: 'my-plugin',
    steps: ['npm test', 'npm run estimate'],
    next: 'The force is in src/kernels.ts.',
  },
  kind: {
    what: 'a package with a kind of experiment, and a film to try it with',
    placeholder: 'my-kind',
    steps: ['npm run film', 'npm run new', 'npm run estimate'],
    next: 'The kind is in src/drop.ts.',
  },
} as const satisfies Readonly<Record<string, Template>>;

/** Name of a template. */
export type TemplateName = keyof typeof TEMPLATES;
