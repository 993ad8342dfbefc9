export * from '@gradsim/rigid';
