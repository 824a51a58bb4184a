import { type Send } from '../conformance/https-requests';
import { SubjectTenant } from '../conformance/subject-tenant';
import { type ClientCredential, type Session, type Subject } from '../conformance/subject-file';
import { type DeploymentKey, type TenantReference } from '../sandbox/deployment-key';
import { type Control } from './control';

/** A tenant as control returns it. */
export type Tenant = TenantReference & {
  readonly authorRefs: readonly [string, ...string[]];
  readonly collaborationIds: readonly [string, ...string[]];
  readonly archivedContentIds: readonly string[];
};

const isExamined = ({ environment, platformRegion }: DeploymentKey) =>
  environment === 'staging' && platformRegion === 'mea';

/** What a target file and standard input say about a tenant of the sandbox. */
export async function describedTenant(control: Control) {
  const { tenants } = await control<{ tenants: Tenant[] }>('GET', 'tenants');
  const tenant = tenants.find(isExamined)!;
  const { environment, platformRegion, tenantId, authorRefs, collaborationIds, archivedContentIds } = tenant;
  const { deployments, tenantServices } = await control<{
    deployments: (DeploymentKey & Omit<Subject['addresses'], 'tenantServiceUrl'>)[];
    tenantServices: { staging: string };
  }>('GET', 'addresses');
  const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl } =
    deployments.find(isExamined)!;
  const reference = { environment, platformRegion, tenantId };
  return {
    reference,
    subject: {
      tenantId,
      addresses: {
        contentBaseUrl,
        contentTokenBaseUrl,
        webhooksBaseUrl,
        webhooksTokenBaseUrl,
        tenantServiceUrl: tenantServices.staging,
      },
      authorRef: authorRefs[0],
      collaborationId: collaborationIds[0],
      archivedContentIds: [...archivedContentIds],
    },
    credential: await control<ClientCredential>('POST', 'credentials', reference),
    apiKey: (await control<{ apiKey: string }>('POST', 'api-keys', reference)).apiKey,
    session: await control<Session>('POST', 'sessions', reference),
  };
}

/** A tenant of a sandbox, examined like one of any platform. It never runs out of archived contents. */
export async function sandboxTenant(control: Control, send: Send): Promise<SubjectTenant> {
  const { reference, subject, credential, apiKey, session } = await describedTenant(control);
  const archivedContent = async () => {
    const asked = { ...reference, status: 'archived' };
    return (await control<{ contentIds: [string] }>('POST', 'contents', asked)).contentIds[0];
  };
  return Object.assign(new SubjectTenant(subject, { ...credential, apiKey, session }, send), {
    archivedContent,
  });
}
