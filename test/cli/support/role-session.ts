const ISSUED: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } = {
  accessKeyId: 'ASIAROLE',
  secretAccessKey: 'issued',
  sessionToken: 'token',
};

/** What STS answers to who may assume a role. */
export function roleSession({ accessKeyId, secretAccessKey, sessionToken = '' } = ISSUED): string {
  return `<AssumeRoleResponse><AssumeRoleResult><Credentials>
    <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
    <SessionToken>${sessionToken}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
    </Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}

/** The text of an AWS configuration file whose profile `operators` assumes a role, as `aws configure` writes it. */
export function profilesWithRole(role: string, mfa?: string): string {
  return [
    '[profile base]',
    'aws_access_key_id = AKIABASE',
    'aws_secret_access_key = own',
    '[profile operators]',
    'source_profile = base',
    `role_arn = ${role}`,
    ...(mfa === undefined ? [] : [`mfa_serial = ${mfa}`]),
  ].join('\n');
}
