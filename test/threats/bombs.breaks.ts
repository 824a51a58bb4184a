import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  {
    id: 'T5',
    brokenBy: {
      file: 'lambdas/restore/restored-record.ts',
      from: 'if (!isWithin(shapeOfJson(body), MOST_STRUCTURE)) return undefined;',
      to: '',
    },
  },
  {
    id: 'T5',
    brokenBy: {
      file: 'lambdas/restore/restore-request.ts',
      from: "if (request.body.length > MAX_BODY_BYTES) return { outcome: 'bodyTooLarge' };",
      to: '',
    },
  },
];
