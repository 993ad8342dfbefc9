export * from '@gradsim/control';
