import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { type Location } from '../deployment-location';

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * The AWS account and region that the caller's settings name. Reads no credentials, and makes no calls.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-account-endpoints.html (aws_account_id)
 */
export function knownLocation(env: Settings): Partial<Location> {
  const profile = profileOf(env);
  const [, ofRole] = /^arn:[^:]*:iam::(\d{12}):/.exec(profile.role_arn ?? '') ?? [];
  const ofProfile = ofRole ?? profile.sso_account_id ?? profile.aws_account_id;
  // Keys in the environment may be of another account than the profile.
  const account = env.AWS_ACCOUNT_ID || (env.AWS_ACCESS_KEY_ID ? undefined : ofProfile);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.region;
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
}

/** The settings of the chosen profile in the config file; none if it cannot be read. */
function profileOf(env: Settings): Settings {
  const { AWS_PROFILE: name = 'default', AWS_CONFIG_FILE: file = join(homedir(), '.aws', 'config') } = env;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  const settings: Record<string, string> = {};
  let isChosen = false;
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\[\s*(?:profile\s+)?["']?(.+?)["']?\s*\]/.exec(line) ?? [];
    if (section !== undefined) isChosen = section === name;
    const [, key, value] = /^(\w+)\s*=\s*(.*?)\s*(?:\s[#;].*)?$/.exec(line) ?? [];
    if (isChosen && key !== undefined && value !== undefined) settings[key] ??= value;
  }
  return settings;
}
