import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';

import { notRun, type Probe, verdictOf } from '../probe';

/** Headers are whole seconds, and so is the time between two answers. */
const TOLERATED_SEC = 1;
const SAMPLES = 5;

export const dateHeader: Probe = {
  id: 'date-header',
  group: 'store',
  subject: 'The `Date` header of Secrets Manager',
  reliedOn: 'correct within a second',
  otherwise: 'tokens count as older or younger than they are',
  sources: ['https://www.rfc-editor.org/rfc/rfc9110#name-date'],
  async look(system) {
    const { secretsManager, sts } = system.aws;
    const { arn: SecretId } = await system.secret();
    const differencesSec: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const [before, asked, after] = [
        new GetCallerIdentityCommand(),
        new DescribeSecretCommand({ SecretId }),
        new GetCallerIdentityCommand(),
      ];
      const dates = [before, asked, after].map((command) => noteDate(command as GetCallerIdentityCommand));
      await sts.send(before);
      await secretsManager.send(asked);
      await sts.send(after);
      const [earliest, date, latest] = dates.map((dateMs) => dateMs()) as [number, number, number];
      differencesSec.push(Math.max(earliest - date, date - latest, 0) / 1000);
    }
    const largest = Math.max(...differencesSec);
    if (Number.isNaN(largest)) return notRun('an answer had no Date header');
    return verdictOf(
      largest <= TOLERATED_SEC,
      `${SAMPLES} answers differed from those of STS just before and after by up to ${largest} s`,
    );
  },
};

/** Captures the `Date` header of a command's answer. @returns its time in ms, NaN without one */
function noteDate({ middlewareStack }: GetCallerIdentityCommand): () => number {
  let date: string | undefined;
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      date = (result.response as { headers?: Record<string, string> }).headers?.date;
      return result;
    },
    { step: 'deserialize', name: 'noteDate' },
  );
  return () => Date.parse(date ?? '');
}
