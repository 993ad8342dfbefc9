// Plays every `.player` of a page: a button, a slider, and keys (space, arrows, Home, End) while it has the focus.

/** Element of a player; {@link player} of `report/player.ts` writes it. */
const within = <T extends Element>(player: HTMLElement, selector: string): T => player.querySelector<T>(selector)!;

for (const player of document.querySelectorAll<HTMLElement>('.player')) start(player);

function start(player: HTMLElement): void {
  const numbers = (text = ''): number[] => text.split(' ').map(Number);
  const [frames, seconds] = [numbers(player.dataset.frames), numbers(player.dataset.seconds)];
  const columns = Number(player.dataset.columns);
  const sheet = within<HTMLImageElement>(player, 'img');
  const button = within<HTMLButtonElement>(player, 'button');
  const slider = within<HTMLInputElement>(player, '.controls input');
  const output = within<HTMLOutputElement>(player, 'output');
  const wipe = player.querySelector<HTMLInputElement>('.wipe');
  const canvases = [...player.querySelectorAll('canvas')];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (next: number): void => {
    frame = Math.min(frames.length - 1, Math.max(0, next));
    slider.value = String(frame);
    slider.setAttribute('aria-valuetext', `frame ${frames[frame]}`);
    output.value = `frame ${frames[frame]}`;
    for (const [k, canvas] of canvases.entries()) {
      const draw = viewsOf(canvas, sheet, frame, columns);
      if ('overlay' in canvas.dataset) drawOverlay(canvas, draw);
      else {
        draw(k);
        if (k === 1 && wipe) drawWiped(canvas, draw, Number(wipe.value) / 100);
      }
    }
  };
  const wait = (): void => {
    timer = setTimeout(() => {
      show((frame + 1) % frames.length);
      wait();
    }, 1000 * seconds[frame]);
  };
  const play = (isPlaying: boolean): void => {
    clearTimeout(timer);
    timer = undefined;
    button.textContent = isPlaying ? '⏸' : '▶';
    button.setAttribute('aria-label', isPlaying ? 'pause' : 'play');
    if (isPlaying) wait();
  };
  const seek = (next: number): void => {
    play(false);
    show(next);
  };
  const toggle = (): void => play(timer === undefined);
  button.addEventListener('click', toggle);
  slider.addEventListener('input', () => seek(Number(slider.value)));
  wipe?.addEventListener('input', () => show(frame));
  player.addEventListener('keydown', (event) => {
    if (event.target === wipe) return;
    const { key, ctrlKey, altKey, metaKey } = event;
    const to = { ArrowLeft: frame - 1, ArrowRight: frame + 1, Home: 0, End: frames.length - 1 }[key];
    if (ctrlKey || altKey || metaKey || (key !== ' ' && to === undefined)) return;
    event.preventDefault();
    if (to === undefined) toggle();
    else seek(to);
  });
  // A focused button handles a space by itself when it is released.
  button.addEventListener('keyup', (event) => event.key === ' ' && event.preventDefault());
  void sheet.decode().then(() => {
    player.hidden = false;
    show(0);
  });
}

const contextOf = (canvas: HTMLCanvasElement): CanvasRenderingContext2D =>
  canvas.getContext('2d', { willReadFrequently: 'overlay' in canvas.dataset })!;

/** Draws one of the three pictures of a frame of the sheet, by its number. */
function viewsOf(
  canvas: HTMLCanvasElement,
  sheet: HTMLImageElement,
  frame: number,
  columns: number,
): (view: number) => void {
  const { width, height } = canvas;
  return (view) => {
    const [x, y] = [(3 * (frame % columns) + view) * width, Math.floor(frame / columns) * height];
    contextOf(canvas).drawImage(sheet, x, y, width, height, 0, 0, width, height);
  };
}

/** Draws the first picture over the left part of the second. */
function drawWiped(canvas: HTMLCanvasElement, draw: (view: number) => void, part: number): void {
  const context = contextOf(canvas);
  context.save();
  context.beginPath();
  context.rect(0, 0, part * canvas.width, canvas.height);
  context.clip();
  draw(0);
  context.restore();
}

/** Draws the brightness of the first picture in red and of the second in green and blue: grey where they are equal. */
function drawOverlay(canvas: HTMLCanvasElement, draw: (view: number) => void): void {
  const context = contextOf(canvas);
  const [target, estimate] = [0, 1].map((view) => {
    draw(view);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  });
  const light = ({ data }: ImageData, at: number): number =>
    0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  for (let at = 0; at < target.data.length; at += 4) {
    const [seen, shown] = [light(target, at), light(estimate, at)];
    target.data.set([seen, shown, shown], at);
  }
  context.putImageData(target, 0, 0);
}
