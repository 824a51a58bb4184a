import { type IssuerProfile, type RequestField } from '../../core/issuers/issuer-profile';
import { isJsonObject } from '../../core/json/json-object';
import { checkShape } from '../../lib/options/check-shape';
import { issuerProfile } from '../../lib/options/issuer-profile-settings';
import { isLearningPlatform } from '../../lib/options/issuers';

/** Fields of a profile by their paths, with what they should be. Undefined: left out. */
export type Correction = Readonly<Record<string, unknown>>;

/** The profile with other fields; undefined if it would not be valid, or is the built-in one. */
export function correctedProfile(profile: IssuerProfile, correction: Correction): IssuerProfile | undefined {
  if (isLearningPlatform(profile)) return undefined;
  const corrected = structuredClone(profile) as unknown as Record<string, unknown>;
  for (const [path, value] of Object.entries(correction)) {
    const names = path.split('.');
    const last = names.pop()!;
    const parent = names.reduce((at, name) => (at[name] ??= {}) as Record<string, unknown>, corrected);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  for (const part of ['request', 'answer', 'errors']) {
    if (isJsonObject(corrected[part]) && Object.keys(corrected[part]).length === 0) delete corrected[part];
  }
  return checkShape(issuerProfile, corrected).data === undefined
    ? undefined
    : (corrected as unknown as IssuerProfile);
}

/** The correction that moves the secret from the body to a Basic header, or back. */
export function movedSecret({ request = {} }: IssuerProfile): Correction {
  const { clientAuthentication, fields } = request;
  const isBasic = clientAuthentication === 'client_secret_basic';
  const others = Object.entries(fields ?? {}).filter(([, field]) => !isOfClient(field));
  return {
    'request.clientAuthentication': isBasic ? undefined : 'client_secret_basic',
    ...(fields !== undefined && {
      'request.fields': Object.fromEntries([
        ...others,
        ...(isBasic ? Object.entries({ client_id: '{clientId}', client_secret: '{clientSecret}' }) : []),
      ]),
    }),
  };
}

function isOfClient(field: RequestField): boolean {
  return /\{client(Id|Secret)\}/.test(JSON.stringify(field));
}
