// What the page of the film needs itself, of packages whose models and searches run in workers: little code, loaded at once.
export { estimateInWorker } from 'gradsim/optim';
export { toRows } from 'gradsim/render';
