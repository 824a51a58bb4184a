/** What the function of a probe does in one step. */
export interface FunctionSettings {
  /** The step in which it fails. @default none: it rotates to the version's id as value */
  readonly fails?: 'createSecret';
  /** Whether it removes AWSPENDING before it fails. @default false */
  readonly givesUp?: boolean;
}

/**
 * Code of a rotation function that prints each step as JSON. It signs its calls itself: loading an SDK would take most of
 * its time.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const ROTATION_CODE = `
const { createHash, createHmac } = require('node:crypto');
const { env } = process;
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();

async function call(action, input) {
  const url = new URL(env.AWS_ENDPOINT_URL || 'https://secretsmanager.' + env.AWS_REGION + '.' + env.URL_SUFFIX);
  const body = JSON.stringify(input);
  const time = new Date().toISOString().replace(/[:-]|\\.\\d+/g, '');
  const scope = [time.slice(0, 8), env.AWS_REGION, 'secretsmanager', 'aws4_request'];
  const signed = {
    'content-type': 'application/x-amz-json-1.1',
    host: url.host,
    'x-amz-date': time,
    'x-amz-security-token': env.AWS_SESSION_TOKEN,
    'x-amz-target': 'secretsmanager.' + action,
  };
  const names = Object.keys(signed).join(';');
  const lines = Object.entries(signed).map(([name, value]) => name + ':' + value);
  const request = sha256(['POST', '/', '', ...lines, '', names, sha256(body)].join('\\n'));
  const key = scope.reduce((key, part) => hmac(key, part), 'AWS4' + env.AWS_SECRET_ACCESS_KEY);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), request].join('\\n')).toString('hex');
  const credential = 'Credential=' + env.AWS_ACCESS_KEY_ID + '/' + scope.join('/');
  const authorization =
    'AWS4-HMAC-SHA256 ' + credential + ', SignedHeaders=' + names + ', Signature=' + signature;
  const { host, ...headers } = signed;
  const answer = await fetch(url, { method: 'POST', body, headers: { ...headers, authorization } });
  if (!answer.ok) throw new Error(action + ' failed: ' + (await answer.json()).__type);
  return answer.json();
}

exports.handler = async ({ Step: step, SecretId, ClientRequestToken: versionId }) => {
  let hasValue;
  if (step === 'testSecret') {
    const read = call('GetSecretValue', { SecretId, VersionId: versionId });
    hasValue = await read.then(() => true, () => false);
  }
  console.log(JSON.stringify({ step, versionId, hasValue }));
  const label = (VersionStage, move) => call('UpdateSecretVersionStage', { SecretId, VersionStage, ...move });
  if (step === env.FAILS) {
    if (env.GIVES_UP) await label('AWSPENDING', { RemoveFromVersionId: versionId });
    throw new Error('as the probe asked');
  }
  if (step === 'createSecret') {
    const value = { ClientRequestToken: versionId, SecretString: versionId, VersionStages: ['AWSPENDING'] };
    await call('PutSecretValue', { SecretId, ...value });
  }
  if (step === 'finishSecret') {
    const { VersionIdsToStages: all } = await call('DescribeSecret', { SecretId });
    const current = Object.keys(all).find((id) => all[id].includes('AWSCURRENT'));
    if (current !== versionId)
      await label('AWSCURRENT', { MoveToVersionId: versionId, RemoveFromVersionId: current });
  }
};
`;
