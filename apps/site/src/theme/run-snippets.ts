// Programs of guides run where they stand: a button below a block, and what the program prints below that.
import { withBase } from 'vitepress';
import { withAddresses } from '../gallery/demo.ts';

/** Pages whose first blocks are plain JavaScript and need a page alone: how many. Later blocks go on from earlier ones. */
const RUNNABLE_SNIPPETS: Readonly<Record<string, number>> = {
  'guide/start': 1,
  'guide/running': 2,
  'guide/control': 1,
};

/** Sends what the program prints to the page; as Node prints it. */
const SNIPPET_PRELUDE = `
const text = (value) =>
  typeof value === 'string' ? value
  : ArrayBuffer.isView(value) ? \`\${value.constructor.name}(\${value.length}) [ \${value.join(', ')} ]\`
  : typeof value === 'object' ? JSON.stringify(value) : String(value);
console.log = (...values) => postMessage({ line: values.map(text).join(' ') });
`;

/** Adds buttons to the blocks of the page that is shown. @param file of the page on the site, as guide/start.md. */
export function addRunButtons(file: string): void {
  const count = RUNNABLE_SNIPPETS[file.replace(/\.md$/, '')] ?? 0;
  const blocks = [...document.querySelectorAll<HTMLElement>('.vp-doc div.language-ts')].slice(0, count);
  blocks.forEach((block, k) => {
    if (block.nextElementSibling?.classList.contains('snippet')) return;
    const box = document.createElement('div');
    box.className = 'snippet';
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Run' });
    const output = document.createElement('pre');
    output.setAttribute('role', 'status');
    box.append(button, output);
    block.after(box);
    const code = blocks.slice(0, k + 1).map((each) => each.querySelector('code')!.textContent);
    button.onclick = () => run(code.join('\n'), button, output);
  });
}

function run(code: string, button: HTMLButtonElement, output: HTMLElement): void {
  const library = new URL(withBase('/lib/'), location.href).href;
  // The last line tells the page that the program has ended.
  const program = `${withAddresses(code, library)}\n;postMessage({});`;
  const address = URL.createObjectURL(new Blob([SNIPPET_PRELUDE, program], { type: 'text/javascript' }));
  const worker = new Worker(address, { type: 'module' });
  button.disabled = true;
  output.textContent = '';
  const end = (): void => {
    button.disabled = false;
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  worker.onmessage = ({ data }: MessageEvent<{ line?: string }>) => {
    if (data.line === undefined) end();
    else output.textContent += `${data.line}\n`;
  };
  worker.onerror = ({ message }) => {
    output.textContent += message || 'The program could not be loaded.';
    end();
  };
}
