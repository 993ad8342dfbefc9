export * from '@gradsim/contact';
