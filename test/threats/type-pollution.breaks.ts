import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  {
    id: 'T16',
    brokenBy: {
      file: 'lambdas/restore/restored-record.ts',
      from: 'value = JSON.parse(body);',
      to: 'value = Object.assign({}, JSON.parse(body));',
    },
  },
];
