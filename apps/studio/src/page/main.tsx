import { render } from 'preact';
import '../../../../packages/gradsim/src/components/components.css';
import { takeKinds } from '../kinds.ts';
import { App } from './app.tsx';
import './style.css';

void takeKinds().then((notThere) => render(<App notThere={notThere.join(' ')} />, document.getElementById('studio')!));

// Not in every page: a file opened from a disk has none, and a local server needs none.
if (!['localhost', '127.0.0.1', '[::1]'].includes(location.hostname))
  navigator.serviceWorker?.register('offline.js').catch(() => {});
