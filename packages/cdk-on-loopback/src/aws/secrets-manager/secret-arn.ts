import { type Account } from '../../account';
import { randomText } from '../../random-text';

/** The ARN that Secrets Manager would give a new secret: the name, a hyphen and six random characters. */
export function newSecretArn({ region, accountId }: Account, name: string): string {
  return name.startsWith('arn:')
    ? name
    : `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-${randomText(6)}`;
}
