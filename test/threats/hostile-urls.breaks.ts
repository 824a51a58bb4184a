import { type Breakable } from '../support/breaks/break';

export const BREAKS: Breakable[] = [
  {
    id: 'T2: a hostile address is refused at synthesis',
    brokenBy: {
      file: 'contract/address.ts',
      from: "return 'an IP address instead of a host name';",
      to: 'return undefined;',
    },
  },
  {
    id: 'T2: a hostile address in a deployment file',
    brokenBy: {
      file: 'lambdas/shared/domain/deployment-addresses.ts',
      from: 'if (fault !== undefined) throw',
      to: "if (fault === '') throw",
    },
  },
  {
    id: 'T2: a function with such a deployment file',
    brokenBy: {
      file: 'lambdas/shared/adapters/deployment-file.ts',
      from: 'checkAddresses(deployment);',
      to: '',
    },
  },
];
