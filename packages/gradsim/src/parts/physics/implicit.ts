export * from '@gradsim/implicit';
