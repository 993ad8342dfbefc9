// Runs a demo of the gallery, whose module is given by its address: one worker plays and draws it, another one derives.
import type { Device } from 'gradsim/core';
import { selectDevice } from 'gradsim/core';
import type { Demo } from '../gallery/demo.ts';
import type { WorkerOrder, WorkerReport } from '../gallery/messages.ts';
import { Pen } from '../gallery/pen.ts';
import { DerivativeRun, PlayedSimulation } from '../gallery/runs.ts';

const report = (message: WorkerReport): void => self.postMessage(message);
/** Address of the demo's code. */
let code = '';
async function loadedDemo(address: string): Promise<Demo> {
  code = address;
  return ((await import(/* @vite-ignore */ address)) as { default: Demo }).default;
}

/** Pause between two runs, ms. */
const PAUSE = 600;

async function play({ address, canvas, isPaused }: Extract<WorkerOrder, { type: 'play' }>): Promise<void> {
  const demo = await loadedDemo(address);
  const device = await selectDevice('cpu');
  const playing = await PlayedSimulation.create(demo, device);
  const pen = new Pen(canvas.getContext('2d')!, demo.view);
  const show = (): boolean => {
    const { values, isFirst, isLast } = playing.step();
    pen.begin(isFirst);
    demo.draw(pen, values);
    return isLast;
  };
  // The first picture comes before what takes longer, and also where nothing shall move.
  show();
  await playing.prepare(device);
  const { title, sliders, output, run } = demo;
  report({
    type: 'ready',
    title,
    sliders: sliders.map(({ name, unit = '', range, value, isLogarithmic = false }) => ({
      name,
      unit,
      range: [...range] as [number, number],
      value,
      isLogarithmic,
    })),
    output: { name: output.name, unit: output.unit },
    device: device.description,
  });
  let isStill = isPaused;
  let due = 0;
  const tick = (): void => {
    const now = performance.now();
    try {
      if (!isStill && now >= due) {
        due = Math.max(due + 1000 / run.frameRate, now - 100);
        if (show()) {
          due = now + PAUSE;
          playing.begin();
          report({ type: 'round' });
        }
      }
    } catch (error) {
      fail(error);
      return;
    }
    setTimeout(tick, Math.max(0, Math.min(50, due - performance.now())));
  };
  orders.onPlaying = (order) => {
    if (order.type === 'set') playing.set(order.values);
    else isStill = order.isPaused;
  };
  tick();
}

async function derive({ address }: Extract<WorkerOrder, { type: 'derive' }>): Promise<void> {
  const demo = await loadedDemo(address);
  const device: Device = await selectDevice('f64', { threads: 1 });
  const derived = await DerivativeRun.create(demo, device, true);
  let wanted: { values: readonly number[]; isCheck: boolean } | undefined;
  let isBusy = false;
  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (wanted) {
      const { values, isCheck } = wanted;
      wanted = undefined;
      report({ type: 'gradient', values, ...(await derived.gradient(values)) });
      if (isCheck) report({ type: 'check', values, differences: await derived.differences(values) });
    }
    isBusy = false;
  };
  orders.onDeriving = ({ values, isCheck }) => {
    wanted = { values, isCheck };
    work().catch(fail);
  };
  report({ type: 'derives' });
}

const orders: {
  onPlaying?: (order: Extract<WorkerOrder, { type: 'set' | 'pause' }>) => void;
  onDeriving?: (order: Extract<WorkerOrder, { type: 'differentiate' }>) => void;
} = {};

function fail(error: unknown): void {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const line = Number.parseInt(stack.split(`${code}:`)[1], 10);
  report({ type: 'error', message, line: Number.isNaN(line) ? undefined : line });
}

self.onmessage = ({ data }: MessageEvent<WorkerOrder>) => {
  try {
    if (data.type === 'play') play(data).catch(fail);
    else if (data.type === 'derive') derive(data).catch(fail);
    else if (data.type === 'differentiate') orders.onDeriving?.(data);
    else orders.onPlaying?.(data);
  } catch (error) {
    fail(error);
  }
};
