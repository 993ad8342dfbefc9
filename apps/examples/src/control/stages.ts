import { meanPosition } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import type { Estimate, Run, SettingsContext, SettingValues, Stage, Strip } from '@gradsim/optim';
import { choiceSetting, numberSetting, textSetting, wholeSetting } from '@gradsim/optim';
import { filmOf } from './film.ts';
import { gearTask } from './gear-task.ts';
import { publishedCurves } from './published.ts';
import type { Goal } from './reach.ts';
import { errorOf, goalOf, reachProblem } from './reach.ts';
import { targetOf } from './targets.ts';
import type { ControlTask, TaskOptions } from './task.ts';
import { throwTask } from './throw-task.ts';
import { walkerTask } from './walker-task.ts';

/**
 * Control experiments by name: how their tasks are made, default number of iterations and size of pictures, px, and a
 * sentence on the published results.
 */
export const CONTROL_TASKS = {
  walker: {
    make: walkerTask,
    iterations: 12,
    size: 96,
    published: 'The paper calls it solved within 3 iterations.',
  },
  gear: {
    make: gearTask,
    iterations: 20,
    size: 64,
    published: 'Published medians from one image: 0.091 m^2 after 20 iterations, 0.041 after 40.',
  },
  'cloth-throw': {
    make: throwTask,
    iterations: 50,
    size: 64,
    published: 'Published medians from one image: 1.33 m^2 after 20 iterations, 0.027 after 50.',
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly make: (options: TaskOptions) => ControlTask;
      readonly iterations: number;
      /** Width, and also height, of the pictures, px. */
      readonly size: number;
      readonly published: string;
    }
  >
>;
export type ControlName = keyof typeof CONTROL_TASKS;

/**
 * Settings of a control experiment: `--set seed=2`, `goal=state`, `size=128`, `iterations=40`; `target=FILE`, a picture
 * of the goal on a plain background, or a text of key frames; `published=FILE`, curves to draw over the computed ones;
 * and for the walker `penalty=0.1`, the weight of its activations and changes of area.
 */
export const controlSettings = (name: ControlName) => ({
  seed: wholeSetting(1),
  goal: choiceSetting(['image', 'state']),
  size: wholeSetting(CONTROL_TASKS[name].size),
  iterations: wholeSetting(CONTROL_TASKS[name].iterations),
  target: textSetting,
  published: textSetting,
  penalty: numberSetting(0, { least: 0 }),
});
type ControlContext = SettingsContext<SettingValues<ReturnType<typeof controlSettings>>>;

function taskOf(name: ControlName, { seed, size, penalty }: ControlContext['settings']): ControlTask {
  if (penalty > 0 && name !== 'walker') throw new Error(`The setting penalty is of the walker; ${name} has none.`);
  return CONTROL_TASKS[name].make({ seed, size, penalty });
}

/** Returns the only stage of a control experiment. */
export async function controlStages(name: ControlName, { settings, device }: ControlContext): Promise<Stage[]> {
  const { goal: by, iterations, target, published } = settings;
  const usual = taskOf(name, settings);
  const { task, goal, overlap } =
    target === undefined
      ? { task: usual, goal: await goalOf(usual, device), overlap: undefined }
      : await targetOf(usual, target, device);
  const curves = published === undefined ? [] : await publishedCurves(published, name);
  return [
    {
      name: by === 'state' ? 'from the state' : goal.pictures.length > 1 ? 'from key frames' : 'from one image',
      problem: reachProblem(task, goal, by, iterations),
      ...(goal.centre && curves.length > 0 ? { curves } : {}),
      strip: (estimate) => frameBesideGoal(task, goal, estimate, device),
      notes: ({ predicted }) => [
        ...distanceFromGoal(errorOf(predicted[meanPosition.key], goal)),
        ...(overlap === undefined ? [] : fitNotes(goal, overlap)),
        CONTROL_TASKS[name].published,
      ],
    },
  ];
}

const distanceFromGoal = (error: number | null): string[] =>
  error === null
    ? []
    : [
        `At the last picture the centre of mass is off by ${error.toPrecision(3)} m^2 (mean over x, y and z of the squared distance).`,
      ];

function fitNotes({ centre }: Goal, overlap: number): string[] {
  const covers = `${(100 * overlap).toFixed(0)} % of what it or the picture covers`;
  return [
    centre
      ? `In the last picture the centre of mass is at ${centre.map((x) => x.toFixed(3)).join(', ')} m: moved and strained uniformly to fit, the thing overlaps with ${covers}.`
      : `Where the centre of mass is in the last picture is not known: moved and strained uniformly, the thing overlaps with no more than ${covers}.`,
  ];
}

/** The run with the initial weights. */
export function controlMotion(name: ControlName, { settings }: ControlContext): Run {
  const { model, film } = taskOf(name, settings);
  return { model, ...film };
}

/** Renders the whole motion, with the next target picture beside every frame. */
async function frameBesideGoal(task: ControlTask, goal: Goal, estimate: Estimate, device: Device): Promise<Strip> {
  const shown = await filmOf(task, device, estimate.arrays);
  return { ...shown, target: (k) => pictureAt(goal, task.timeline, shown.frames[k] / task.film.frameRate) };
}

/** Colours of the next target picture after a time, s; after the last one, of that. */
function pictureAt({ pictures }: Goal, { frameRate }: ControlTask['timeline'], time: number): Float32Array {
  const next = pictures.find(({ frame }) => frame / frameRate >= time - 1e-9);
  return (next ?? pictures[pictures.length - 1]).rgb;
}
