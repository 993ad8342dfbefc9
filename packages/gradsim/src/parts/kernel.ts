export * from '@gradsim/kernel';
