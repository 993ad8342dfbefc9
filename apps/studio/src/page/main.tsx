import { render } from 'preact';
import '../../../../packages/gradsim/src/components/components.css';
import { takeKinds } from '../kinds.ts';
import { App } from './app.tsx';
import { keepsItself } from './keeps-itself.ts';
import './style.css';

void takeKinds().then((notThere) => render(<App notThere={notThere.join(' ')} />, document.getElementById('studio')!));

if (keepsItself) navigator.serviceWorker.register('offline.js').catch(() => {});
