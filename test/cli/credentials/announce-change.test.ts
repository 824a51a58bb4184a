import { announceChange } from '../../../cli/credentials/announce-change';
import { LabeledSecret } from '../../../cli/credentials/labeled-secret';
import { type CommandContext } from '../../../cli/command';
import { CommandError } from '../../../cli/command-error';
import { EXIT } from '../../../cli/exit-codes';
import { type ChosenTenant, type Deployment } from '../../../cli/system';

let invoked: { arn: string; type: string; event: unknown }[];
let said: string[];
beforeEach(() => {
  invoked = [];
  said = [];
});

/** Announces a revocation in a deployment. */
function announce(deployment: Partial<Deployment>): Promise<void> {
  const lambda = {
    send: ({ input }: { input: { FunctionName: string; InvocationType: string; Payload: Uint8Array } }) => {
      const event: unknown = JSON.parse(Buffer.from(input.Payload).toString());
      invoked.push({ arn: input.FunctionName, type: input.InvocationType, event });
      return Promise.resolve({});
    },
  };
  const { signal } = new AbortController();
  const terminal = { interrupted: signal, say: (text: string) => void said.push(text) };
  const chosen = {
    tenant: { tenantId: 'tenant-a' },
    deployment: { functionArn: (leaf: string) => Promise.resolve(`arn:of:${leaf}`), lambda, ...deployment },
  } as unknown as ChosenTenant;
  const secret = new LabeledSecret(chosen, 'api-key', signal);
  return announceChange({ terminal } as unknown as CommandContext, secret, 'revoked', 'version-1');
}

test('a change is announced by rotate-credentials, without waiting for it', async () => {
  await announce({ sendsEvents: () => Promise.resolve(true) });

  expect(invoked).toEqual([
    {
      arn: 'arn:of:rotate-credentials-arn',
      type: 'Event',
      event: {
        ...{ action: 'announce', change: 'revoked' },
        ...{ tenantId: 'tenant-a', credential: 'api-key', versionId: 'version-1' },
      },
    },
  ]);
  expect(said).toEqual([]);
});

test.each<[string, Partial<Deployment>]>([
  ['sends no events', { sendsEvents: () => Promise.resolve(false) }],
  ['is of a system that knows none', {}],
])('a deployment that %s is not asked', async (_, deployment) => {
  await announce(deployment);

  expect([invoked, said]).toEqual([[], []]);
});

test('a failure is said, and the change stays', async () => {
  const failure = new CommandError(EXIT.failed, 'not_allowed', 'you may not invoke it');

  await announce({ sendsEvents: () => Promise.resolve(true), functionArn: () => Promise.reject(failure) });

  expect(said).toEqual([
    'No event of this was sent; readers find the change when their caches expire: you may not invoke it',
  ]);
});

test('a bug is thrown', async () => {
  await expect(announce({ sendsEvents: () => Promise.reject(new TypeError('a bug')) })).rejects.toThrow(
    TypeError,
  );
});
