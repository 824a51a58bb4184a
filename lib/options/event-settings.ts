import { z } from 'zod';

import { lateArn } from './arn';

const BUS = 'the full ARN of an event bus, such as arn:aws:events:eu-west-1:111122223333:event-bus/default';
const CHOICES = 'true, for the account’s default event bus; or an object with eventBusArn';

export const eventSettings = z.union(
  [
    z.literal(true),
    z.strictObject({
      eventBusArn: lateArn('events', 'event-bus/', String.raw`[\w./-]{1,256}`, BUS).describe(
        'Another event bus, in the deployment’s AWS region. A bus of another account needs a policy that allows this account to send.',
      ),
    }),
  ],
  { error: CHOICES },
);
