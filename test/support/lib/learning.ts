import { type App, Stack } from 'aws-cdk-lib';

import { Latchkey, type LatchkeyProps } from '../../../lib';
import { ACCOUNT_ID, addressesOf, REGION, tenant } from './configuration';
import { temporaryApp } from './synthesis';

/** Options of a construct: the same deployment as `written()` has in a file. */
export const OPTIONS = {
  environment: 'staging',
  endpoints: addressesOf('staging-global'),
  tenants: [tenant('tenant-a')],
} satisfies LatchkeyProps;

/** A stack of somebody else's app, in the account of the deployment. */
export function learningStack(app: App = temporaryApp()): Stack {
  return new Stack(app, 'learning', { env: { account: ACCOUNT_ID, region: REGION } });
}

/** A deployment in a stack, with {@link OPTIONS} and these. */
export function latchkeyIn(stack: Stack, options: object = {}): Latchkey {
  return new Latchkey(stack, 'Latchkey', { ...OPTIONS, ...options });
}
