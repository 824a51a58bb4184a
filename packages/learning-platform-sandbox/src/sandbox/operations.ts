/** The operations of the content interface. @see platform specification, "Endpoints" 3 and 4 */
export const CONTENT_OPERATIONS = [
  'create',
  'update',
  'delete',
  'publish',
  'list',
  'get',
  'archive',
  'restore',
] as const;
export type ContentOperation = (typeof CONTENT_OPERATIONS)[number];
