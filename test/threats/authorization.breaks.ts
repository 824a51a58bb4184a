import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  [
    'lambdas/authorizer/authorization-header.ts',
    'if (value === undefined || others.length > 0) return undefined;',
    'if (value === undefined) return undefined;',
  ],
  [
    'lambdas/authorizer/authorization-header.ts',
    "if (bytes.toString('base64') !== credentials) return undefined;",
    '',
  ],
  ['lambdas/authorizer/authenticate.ts', 'if (accepted.mayWrite) return', 'if (accepted) return'],
  ['lambdas/authorizer/authenticate.ts', '|| !isOwnName) return', ') return'],
].map(([file = '', from = '', to = '']) => ({ id: 'T15', brokenBy: { file, from, to } }));
