import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';

import { notRun, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';
import { allow, arnOf, tagsOf } from '../templates';

export const rotationInvocation: Probe = {
  id: 'rotation-invocation',
  group: 'rotation',
  subject: 'How Secrets Manager invokes rotate-credentials',
  reliedOn:
    'synchronously; if not, Lambda repeats a failed step twice, as it does by default, and then leaves a message in the dead-letter queue',
  otherwise: 'the alarm `dead-letters`, which notifies nobody, after a failed rotation',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html',
    'https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html',
  ],
  look: (system) => {
    const more = {
      resources: {
        Failed: { Type: 'AWS::SQS::Queue', Properties: { Tags: tagsOf(system) } },
        // Of an event that Lambda queued, the message would come after the first failure.
        Asynchronous: {
          Type: 'AWS::Lambda::EventInvokeConfig',
          Properties: {
            ...{ FunctionName: { Ref: 'Function' }, Qualifier: '$LATEST', MaximumRetryAttempts: 0 },
            DestinationConfig: { OnFailure: { Destination: arnOf('Failed') } },
          },
        },
      },
      outputs: { QueueUrl: { Ref: 'Failed' } },
      statements: [allow(['sqs:SendMessage'], arnOf('Failed'))],
    };
    return withRotation(system, { fails: 'createSecret', more }, async (rotation) => {
      await rotation.put('one');
      const versionId = await rotation.rotate();
      if (!(await rotation.step('createSecret', versionId))) return notRun('createSecret was not called');
      const message = await system.time.until(
        async () => {
          const { Messages = [] } = await system.aws.sqs.send(
            new ReceiveMessageCommand({ QueueUrl: rotation.outputs.QueueUrl }),
          );
          return Messages[0];
        },
        { withinSec: 120, everySec: 10 },
      );
      return verdictOf(
        message === undefined,
        `${message ? 'a' : 'no'} message of a failed event after a failed step`,
      );
    });
  },
};
