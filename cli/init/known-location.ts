import { devNull } from 'node:os';

import { loadSharedConfigFiles } from '@smithy/core/config';

import { type Location } from '../system';

/**
 * The AWS account and region that the caller's settings name. Reads no credentials, and makes no calls.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-account-endpoints.html (aws_account_id)
 */
export async function knownLocation(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Partial<Location>> {
  const { configFile } = await loadSharedConfigFiles({
    filepath: devNull,
    configFilepath: env.AWS_CONFIG_FILE,
  });
  const profile = configFile[env.AWS_PROFILE || 'default'] ?? {};
  const [, ofRole] = /^arn:[^:]*:iam::(\d{12}):/.exec(profile.role_arn ?? '') ?? [];
  const ofProfile = ofRole ?? profile.sso_account_id ?? profile.aws_account_id;
  // Keys in the environment may be of another account than the profile.
  const account = env.AWS_ACCOUNT_ID || (env.AWS_ACCESS_KEY_ID ? undefined : ofProfile);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.region;
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
}
