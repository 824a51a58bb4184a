import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createTokenSource } from 'latchkey/client';

const source = createTokenSource({ tokenRefresh: process.env.TOKEN_REFRESH_ARN });
const key = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: process.env.TENANT_ID!,
  interface: 'content',
  scope: 'api/read',
} as const;
const sqs = new SQSClient({});
const QueueUrl = process.env.QUEUE_URL!;

/** Takes the events of renewals. Without it, the service finds a new token when its own is almost due. */
async function listen(): Promise<never> {
  for (;;) {
    try {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
      for (const { Body, ReceiptHandle } of Messages) {
        try {
          source.invalidate(JSON.parse(Body!));
        } catch (error) {
          console.error('not an event:', error); // deleted all the same: it would only come again
        }
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    } catch (error) {
      console.error('no events for now:', error);
      await setTimeout(5_000);
    }
  }
}

const server = createServer((_, response) => {
  source.getToken(key).then(
    ({ issuedAt, expiresAt }) => response.end(JSON.stringify({ issuedAt, expiresAt })),
    (error: Error) => response.writeHead(503).end(error.message),
  );
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const address = server.address();
  console.log(`ready on port ${typeof address === 'object' ? address?.port : address}`);
});
void listen();
