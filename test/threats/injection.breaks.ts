import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  [
    'lambdas/authorizer/handler.ts',
    "log.info('caller refused', { code: 'unauthorized', apiRequestId });",
    'process.stdout.write(`caller refused ${tenantId}\\n`);',
  ],
  ['contract/restore.ts', '(?:[\\x20-\\x7e]{0,254}', '(?:[^]{0,254}'],
  [
    'lambdas/restore/restore-request.ts',
    'if (!CONTENT_ID.test(request.contentId)) {',
    'if (!request.contentId) {',
  ],
].map(([file = '', from = '', to = '']) => ({ id: 'T4', brokenBy: { file, from, to } }));
