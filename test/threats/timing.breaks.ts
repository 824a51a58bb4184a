import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  {
    id: 'by any source of the functions or the client',
    brokenBy: {
      file: 'lambdas/shared/domain/accepted-secret.ts',
      from: 'timingSafeEqual(secret.sha256, presentedSha256);',
      to: 'secret.sha256.equals(presentedSha256);',
    },
  },
  {
    id: 'from the answer',
    brokenBy: {
      file: 'lambdas/authorizer/handler.ts',
      from: "if (authentication.kind === 'unauthenticated') {",
      to: "if (authentication.kind === 'unauthenticated' && !authorization[0].startsWith('Digest')) {",
    },
  },
  {
    id: 'from the work',
    brokenBy: {
      file: 'lambdas/authorizer/authenticate.ts',
      from: 'declared ?? tenants[',
      to: 'declared && tenants[',
    },
  },
];
