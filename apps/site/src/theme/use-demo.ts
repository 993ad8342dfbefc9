import { withBase } from 'vitepress';
import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch } from 'vue';
import { brokenLine } from '../gallery/broken-line.ts';
import { type DemoSource, withAddresses } from '../gallery/demo.ts';
import { fragmentOf } from '../gallery/link.ts';
import type { ShownSlider, WorkerOrder, WorkerReport } from '../gallery/messages.ts';
import { whenSeenAtRest } from './seen-at-rest.ts';

/** Properties of a demo on the page. */
export interface DemoProps {
  readonly source: DemoSource;
  /** Values of sliders of a link; none for those of the demo. */
  readonly start: readonly number[];
  /** Code of a link, which is not run before the visitor says so. */
  readonly changed?: string;
}

/** Part of a slider's range by which its arrow counts: what the output would change by. */
const NUDGE = 0.1;
/** Width of the arrow of the slider that counts most, percent of its track. */
const LONGEST_ARROW = 30;

/** Place of a slider from 0 to 1000, and the value there. */
export const placeOf = ({ range: [a, b], isLogarithmic }: ShownSlider, value: number): number =>
  1000 * (isLogarithmic ? Math.log(value / a) / Math.log(b / a) : (value - a) / (b - a));
const valueAt = ({ range: [a, b], isLogarithmic }: ShownSlider, place: number): number =>
  isLogarithmic ? a * (b / a) ** (place / 1000) : a + ((b - a) * place) / 1000;

/** A number for people, of four digits. */
export const short = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5)
    ? value.toExponential(2)
    : String(Number(value.toPrecision(4)));
export const precise = (value: number): string => value.toPrecision(7);

const tell = (worker: Worker | undefined, order: WorkerOrder, moved: Transferable[] = []) =>
  worker?.postMessage(order, moved);

/** A demo on the page: its two workers, sliders, derivatives and code. */
export function useDemo({ source, start, changed: changedCode }: DemoProps) {
  const canvasBox = ref<HTMLElement>();
  const code = ref(changedCode ?? source.code);
  const isForeign = ref(changedCode !== undefined && changedCode !== source.code);
  const sliders = shallowRef<readonly ShownSlider[]>([]);
  const values = ref<number[]>([]);
  const output = ref({ name: '', unit: '' });
  const device = ref('');
  const gradient = shallowRef<{ values: readonly number[]; output: number; gradient: readonly number[] }>();
  const differences = shallowRef<readonly number[]>();
  const isChecking = ref(false);
  const problem = ref('');
  const isPaused = ref(false);
  const copied = ref<'link' | 'tag'>();
  /** Tag that was copied last, which a visitor without a clipboard takes from the page. */
  const tag = ref('');

  let player: Worker | undefined;
  let deriver: Worker | undefined;
  let address = '';
  function end(): void {
    player?.terminate();
    deriver?.terminate();
    if (address) URL.revokeObjectURL(address);
    player = deriver = undefined;
  }

  function begin(kept: readonly number[]): void {
    end();
    isForeign.value = false;
    problem.value = '';
    gradient.value = differences.value = undefined;
    sliders.value = [];
    isChecking.value = false;
    const library = new URL(withBase('/lib/'), location.href).href;
    address = URL.createObjectURL(new Blob([withAddresses(code.value, library)], { type: 'text/javascript' }));
    // A canvas that a worker draws on cannot be given to another one.
    const canvas = document.createElement('canvas');
    canvas.width = 960;
    canvas.height = 600;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${source.title}: the simulation, as it runs`);
    canvasBox.value!.replaceChildren(canvas);
    const drawn = canvas.transferControlToOffscreen();
    const create = () => new Worker(withBase('/lib/demo-worker.js'), { type: 'module' });
    [player, deriver] = [create(), create()];
    for (const worker of [player, deriver]) {
      worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => take(data, kept);
      worker.onerror = ({ message }) => {
        problem.value = message ?? 'The worker could not be started.';
      };
    }
    tell(player, { type: 'play', address, canvas: drawn, isPaused: isPaused.value }, [drawn]);
  }

  function take(report: WorkerReport, kept: readonly number[]): void {
    if (report.type === 'ready') {
      // Only now: two compilations at once would keep the first picture waiting.
      tell(deriver, { type: 'derive', address });
      sliders.value = report.sliders;
      output.value = report.output;
      device.value = report.device;
      values.value = report.sliders.map(({ value, range: [least, most] }, k) =>
        Math.min(most, Math.max(least, kept.length === report.sliders.length ? kept[k] : value)),
      );
      changed();
    } else if (report.type === 'derives') differentiate(false);
    else if (report.type === 'gradient') gradient.value = report;
    else if (report.type === 'check') {
      differences.value = report.differences;
      isChecking.value = false;
    } else if (report.type === 'error') {
      isChecking.value = false;
      void show(report);
    }
  }

  async function show({ message, line }: Extract<WorkerReport, { type: 'error' }>): Promise<void> {
    const at = line ?? (await brokenLine(code.value));
    problem.value = at === undefined ? message : `Line ${at}: ${message}`;
  }

  function differentiate(isCheck: boolean): void {
    if (values.value.length > 0) tell(deriver, { type: 'differentiate', values: [...values.value], isCheck });
  }
  function changed(): void {
    differences.value = undefined;
    tell(player, { type: 'set', values: [...values.value] });
    differentiate(false);
  }
  function check(): void {
    isChecking.value = true;
    differentiate(true);
  }

  function slide(k: number, place: number): void {
    values.value[k] = valueAt(sliders.value[k], place);
    changed();
  }

  /** Change of the output, to first order, where each slider goes a tenth of its range up. */
  const nudges = computed(() =>
    gradient.value?.gradient.map((derivative, k) => {
      const {
        range: [a, b],
        isLogarithmic,
      } = sliders.value[k];
      return derivative * NUDGE * (isLogarithmic ? gradient.value!.values[k] * Math.log(b / a) : b - a);
    }),
  );
  const largest = computed(() => Math.max(...(nudges.value ?? []).map(Math.abs), 1e-12));
  /** Arrow of a slider: where it begins and how wide it is, percent of the track, from where the slider is to the tip. */
  function arrowOf(k: number) {
    const nudge = nudges.value?.[k] ?? 0;
    const from = placeOf(sliders.value[k], values.value[k]) / 10;
    const isUp = nudge >= 0;
    const width = Math.min(
      LONGEST_ARROW * (Math.abs(nudge) / largest.value),
      Math.max((isUp ? 100 - from : from) - 2, 2),
    );
    return { isUp, width, left: isUp ? from : from - width };
  }

  /** Fragment of an address with everything that a visitor has changed, which becomes that of this page. */
  async function keepState(): Promise<string> {
    const own = code.value === source.code ? undefined : code.value;
    const fragment = await fragmentOf({ demo: source.name, values: values.value, code: own });
    history.replaceState(history.state, '', `#${fragment}`);
    return fragment;
  }
  async function copy(what: 'link' | 'tag', text: string): Promise<void> {
    await navigator.clipboard?.writeText(text).catch(() => {});
    copied.value = what;
    setTimeout(() => {
      copied.value = undefined;
    }, 2000);
  }
  async function copyLink(): Promise<void> {
    await keepState();
    await copy('link', location.href);
  }
  /** Copies a tag for a page of others that shows the demo as it is now. */
  async function copyTag(): Promise<void> {
    const address = new URL(`${withBase('/embed')}#${await keepState()}`, location.href).href;
    tag.value = `<iframe src="${address}" title="${source.title}" width="100%" height="640" loading="lazy"></iframe>`;
    await copy('tag', tag.value);
  }

  watch(isPaused, (now) => tell(player, { type: 'pause', isPaused: now }));
  const left = new AbortController();
  onMounted(async () => {
    isPaused.value = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (isForeign.value) return;
    await whenSeenAtRest(canvasBox.value!, left.signal);
    // A visitor may have begun it by then.
    if (!left.signal.aborted && !player) begin(start);
  });
  onBeforeUnmount(() => {
    left.abort();
    end();
  });

  return {
    arrowOf,
    begin,
    canvasBox,
    check,
    code,
    copied,
    copyLink,
    copyTag,
    device,
    differences,
    gradient,
    isChecking,
    isForeign,
    isPaused,
    nudges,
    output,
    problem,
    slide,
    sliders,
    tag,
    values,
  };
}
