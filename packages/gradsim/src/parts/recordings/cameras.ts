export * from '@gradsim/cameras';
