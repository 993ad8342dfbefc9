// Runs reference cases: npm run -s reference -- FILE... [--device f64 --device cpu --device webgpu]
import { parseArgs } from 'node:util';
import { type DEVICE_NAMES, selectDevice } from '@gradsim/core';
import { checkFiles, type NamedDevice } from './check-files.ts';

const { values, positionals } = parseArgs({
  options: { device: { type: 'string', multiple: true, default: ['f64'] } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('No file was named: npm run -s reference -- FILE... [--device f64|cpu|webgpu]');
  process.exit(1);
}
const names = values.device as (typeof DEVICE_NAMES)[number][];
const selected = await Promise.allSettled(names.map((name) => selectDevice(name)));
const devices = selected.map(
  (selection, k): NamedDevice => [
    names[k],
    () => {
      if (selection.status === 'rejected') throw selection.reason;
      return selection.value;
    },
  ],
);
try {
  const { checked, unsupported, error } = await checkFiles(positionals, devices, console.log);
  if (error > 0) {
    console.error(
      `${error} of ${checked + unsupported + error} checks failed; the lines with "status": "error" say why.`,
    );
    process.exitCode = 1;
  }
} finally {
  for (const selection of selected) if (selection.status === 'fulfilled') selection.value.dispose();
}
