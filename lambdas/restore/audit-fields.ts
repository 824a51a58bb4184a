import { type APIGatewayProxyEvent } from 'aws-lambda';

import { isContentId } from '../../core/restore/content-id';
import { TENANT_ID } from '../../core/deployment/platform';
import { referenceDigest, type RestoreCaller } from '../../core/restore/restore-audit';
import { type ActingUser } from '../../core/restore/restore-operation';
import { type Outcome } from '../../core/restore/restore-outcomes';
import { type pathIds } from '../../core/restore/path-ids';
import { type LogFields } from '../shared/ports';
import { type Refusal, type RestoreRequest } from './restore-request';
import { traceIdOf } from './trace-id';

const PLAIN_TEXT = /^[\x20-\x7e]{1,256}$/;
const ARN = /^arn:[\x21-\x7e]{1,2048}$/;

/** Outcomes after which the platform has accepted the acting user, or may have acted for it. */
const ACCEPTED: readonly string[] = ['restored', 'not_archived', 'outcome_unknown'];

/** Who called, and the ids that the path names. */
export interface RequestOrigin {
  caller: Partial<RestoreCaller>;
  ids: ReturnType<typeof pathIds>;
}

/**
 * Who asked for what, and the outcome, for the log line of a request. Contains only checked values. An acting user that the
 * platform did not accept may be a misplaced secret, so it is logged as a digest.
 */
export function auditFields(
  event: APIGatewayProxyEvent,
  { caller, ids: { tenantId, contentId } }: RequestOrigin,
  request: RestoreRequest | Refusal,
  { status, code = 'restored' }: Pick<Outcome, 'status'> & { code?: string },
): LogFields {
  const { authorRef, collaborationId }: ActingUser = 'actingUser' in request ? request.actingUser : {};
  const shown = ACCEPTED.includes(code) ? (reference: string) => reference : referenceDigest;
  // Fields that are undefined are not logged.
  return {
    tenantId: TENANT_ID.test(tenantId) ? tenantId : undefined,
    contentId: isContentId(contentId) ? contentId : undefined,
    authorRef: authorRef === undefined ? undefined : shown(authorRef),
    collaborationId: collaborationId === undefined ? undefined : shown(collaborationId),
    code,
    status,
    scheme: caller.scheme,
    caller: caller.caller,
    callerVersion: caller.callerVersion,
    callerVersionId: caller.callerVersionId,
    apiRequestId: event.requestContext.requestId,
    traceId: traceIdOf((name) => headerValues(event, name)),
  };
}

/** Every value of a header. @param lowerCaseName its name in lower case */
export function headerValues({ multiValueHeaders }: APIGatewayProxyEvent, lowerCaseName: string): string[] {
  const values: string[] = [];
  for (const name in multiValueHeaders) {
    if (name.length !== lowerCaseName.length || name.toLowerCase() !== lowerCaseName) continue;
    values.push(...(multiValueHeaders[name] ?? []));
  }
  return values;
}

/**
 * Who called, as the authorizer or IAM told API Gateway. Leaves out anything unexpected: the caller is authenticated by
 * then, and an incomplete line must not fail a restore.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html (`identity.userArn`)
 */
export function callerOf({
  authorizer,
  identity,
}: Partial<APIGatewayProxyEvent['requestContext']>): Partial<RestoreCaller> {
  const { scheme, caller, callerVersion, callerVersionId } = (authorizer ?? {}) as Record<string, unknown>;
  if (scheme === 'basic' || scheme === 'bearer') {
    return {
      scheme,
      caller: isText(caller, PLAIN_TEXT) ? caller : undefined,
      callerVersion: callerVersion === 'current' || callerVersion === 'previous' ? callerVersion : undefined,
      callerVersionId: isText(callerVersionId, PLAIN_TEXT) ? callerVersionId : undefined,
    };
  }
  const userArn: unknown = identity?.userArn;
  return isText(userArn, ARN) ? { scheme: 'iam', caller: userArn } : {};
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}
