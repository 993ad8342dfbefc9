import { render } from 'preact';
import { App } from './app.tsx';
import './style.css';

render(<App />, document.getElementById('studio')!);

// Not in every page: a file opened from a disk, for one, has none.
navigator.serviceWorker?.register('offline.js').catch(() => {});
