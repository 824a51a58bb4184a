import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  {
    id: 'T11: the scope that the platform says it granted',
    brokenBy: {
      file: 'lambdas/shared/domain/token-answer.ts',
      from: 'if (granted.size > 1) throw',
      to: 'if (granted.size > 9) throw',
    },
  },
  {
    id: 'T11: a token in the secret of another key',
    brokenBy: {
      file: 'contract/token-value.ts',
      from: 'if (KEY_FIELDS.some((field) => value[field] !== key[field])) return undefined;',
      to: '',
    },
  },
];
