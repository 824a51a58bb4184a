import { cellPath } from '../../../contract/secret-names';
import { type TokenKey } from '../../../contract/token-key';
import { ACCOUNT_ID, type LocalAws, REGION } from '../../local/aws/local-account';

/** The environment of a process that has the rights of the token functions in a key's cell, and no others. */
export function roleEnvironment(aws: LocalAws, key: TokenKey): Record<string, string> {
  const below = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${cellPath('latchkey', key)}`;
  const read = ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'];
  const { accessKeyId, secretAccessKey, sessionToken } = aws.roleKey(
    { Effect: 'Allow', Action: read, Resource: `${below}/*/client-credentials-*` },
    { Effect: 'Allow', Action: [...read, 'secretsmanager:PutSecretValue'], Resource: `${below}/*/token/*` },
  );
  return {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken!,
  };
}
