/** Colours and numbers with so many steps: a thumbnail is small. */
const LIGHTS = 12;

/**
 * Context of a canvas that writes down what a pen draws as elements of an SVG, in whole pixels: for thumbnails, which are made
 * where there is no canvas.
 */
export class SvgCanvas {
  readonly canvas: { readonly width: number; readonly height: number };
  fillStyle = '';
  strokeStyle = '';
  lineWidth = 1;
  lineJoin = 'round';
  lineCap = 'round';
  #path = '';
  #at: [number, number] = [0, 0];
  #elements: string[] = [];
  #last = '';

  constructor(width: number, height: number) {
    this.canvas = { width, height };
  }

  /** Elements of the frame since the picture was emptied. */
  get frame(): string {
    return this.#elements.join('');
  }

  clearRect(): void {
    this.#elements = [];
    this.#last = '';
  }
  beginPath(): void {
    this.#path = '';
  }
  moveTo(x: number, y: number): void {
    this.#at = [Math.round(x), Math.round(y)];
    this.#path += `M${this.#at[0]} ${this.#at[1]}`;
  }
  lineTo(x: number, y: number): void {
    const [right, down] = [Math.round(x), Math.round(y)];
    this.#path += `l${right - this.#at[0]} ${down - this.#at[1]}`;
    this.#at = [right, down];
  }
  closePath(): void {
    this.#path += 'z';
  }
  /** A whole circle. */
  arc(x: number, y: number, radius: number): void {
    const [r, left] = [Math.max(1, Math.round(radius)), Math.round(x - radius)];
    this.#path += `M${left} ${Math.round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
  fill(): void {
    this.#add(`fill="${coarse(this.fillStyle)}"`);
  }
  stroke(): void {
    // The edges of a surface, which hide gaps between its triangles, are as dark as these.
    if (this.strokeStyle === this.fillStyle) return;
    const width = Math.max(0.4, Math.round(10 * this.lineWidth) / 10);
    this.#add(`fill="none" stroke="${coarse(this.strokeStyle)}" stroke-width="${width}"`);
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    const [left, top] = [Math.round(x), Math.round(y)];
    this.#path = `M${left} ${top}h${Math.round(x + width) - left}v${Math.round(y + height) - top}H${left}z`;
    this.fill();
  }

  /** Adds the path, to the last element where it looks the same. */
  #add(look: string): void {
    if (this.#last === look)
      this.#elements[this.#elements.length - 1] = this.#elements.at(-1)!.replace(/"\/>$/, `${this.#path}"/>`);
    else this.#elements.push(`<path ${look} d="${this.#path}"/>`);
    this.#last = look;
  }
}

/** A colour in few steps, as short as SVG has them; `rgb()` and `rgba()` alone. */
function coarse(colour: string): string {
  const [r, g, b, opacity = 1] = colour.match(/[\d.]+/g)!.map(Number);
  const hex = [r, g, b].map((light) => Math.round(Math.round((light / 255) * LIGHTS) * (15 / LIGHTS)).toString(16));
  const alpha = opacity < 1 ? Math.round(Math.round(opacity * 4) * 3.75).toString(16) : '';
  return `#${hex.join('')}${alpha}`;
}
