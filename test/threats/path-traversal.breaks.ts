import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  {
    id: 'T3',
    brokenBy: {
      file: 'lambdas/restore/restore-request.ts',
      from: 'if (!CONTENT_ID.test(request.contentId)) {',
      to: "if (request.contentId === '') {",
    },
  },
];
