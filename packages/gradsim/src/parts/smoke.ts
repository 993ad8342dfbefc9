export * from '@gradsim/smoke';
