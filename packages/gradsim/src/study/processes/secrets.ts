/** Environment variables of a queue's user and password, used if its address has none. No trial inherits them. */
export const USER = 'GRADSIM_QUEUE_USER';
export const PASSWORD = 'GRADSIM_QUEUE_PASSWORD';
