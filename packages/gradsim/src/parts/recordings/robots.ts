export * from '@gradsim/robots';
