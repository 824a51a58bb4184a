import { z } from 'zod';

import {
  description,
  failure,
  physicalName,
  resourceType,
  type ResourceType,
} from '../template/resource-type';
import { createdId, requireApi, type RestApis } from './rest-api';

const OF_A_METHOD = ['Path', 'Method'] as const;
/** The fields allowed for each type of location. */
const LOCATION_FIELDS = {
  API: [],
  AUTHORIZER: ['Name'],
  MODEL: ['Name'],
  RESOURCE: ['Path'],
  METHOD: OF_A_METHOD,
  PATH_PARAMETER: [...OF_A_METHOD, 'Name'],
  QUERY_PARAMETER: [...OF_A_METHOD, 'Name'],
  REQUEST_HEADER: [...OF_A_METHOD, 'Name'],
  REQUEST_BODY: OF_A_METHOD,
  RESPONSE: [...OF_A_METHOD, 'StatusCode'],
  RESPONSE_HEADER: [...OF_A_METHOD, 'StatusCode', 'Name'],
  RESPONSE_BODY: [...OF_A_METHOD, 'StatusCode'],
} as const satisfies Record<string, readonly ('Path' | 'Method' | 'Name' | 'StatusCode')[]>;
const LOCATION_TYPES = Object.keys(LOCATION_FIELDS) as (keyof typeof LOCATION_FIELDS)[];

const locationSchema = z
  .strictObject({
    Type: z.enum(LOCATION_TYPES),
    Path: z.string().startsWith('/').optional(),
    Method: z.string().optional(),
    Name: z.string().optional(),
    /** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DocumentationPartLocation.html */
    StatusCode: z
      .string()
      .regex(/^([1-5]\d\d|\*|\s*)$/, '[1-5]\\d\\d, or * for every other status')
      .optional(),
  })
  .superRefine(({ Type, ...fields }, issues) => {
    const allowed: readonly string[] = LOCATION_FIELDS[Type];
    for (const field of Object.keys(fields).filter((name) => !allowed.includes(name))) {
      issues.addIssue({ code: 'custom', message: `${Type} has no ${field}` });
    }
  });

const jsonObject = z.string().refine((text) => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}, 'an object as JSON');

/**
 * A documentation part, which affects no response. Its location must exist and have no other part.
 * @see AWS CloudFormation Template Reference, AWS::ApiGateway::DocumentationPart
 */
export const documentationPart = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({ RestApiId: z.string(), Location: locationSchema, Properties: jsonObject }),
    ({ RestApiId, Location }, context) => {
      const { documentation } = requireApi(apis, RestApiId, context);
      const location = placeOf(Location);
      if (documentation.locations.has(location)) {
        throw failure('already_exists', context, `Documentation part already exists for: ${location}`);
      }
      documentation.locations.add(location);
      return { ref: physicalName(context), attributes: { DocumentationPartId: createdId(context, 6) } };
    },
    {
      replacedBy: ['Location', 'RestApiId'],
      delete: ({ properties: { RestApiId, Location } }) =>
        void apis.apis.get(RestApiId)?.documentation.locations.delete(placeOf(Location)),
    },
  );

function placeOf({
  Type,
  Path = '',
  Method = '',
  Name = '',
  StatusCode = '',
}: z.output<typeof locationSchema>): string {
  return [Type, Path, Method, Name, StatusCode].join(' ').trimEnd();
}

/**
 * A version of the documentation, for a stage to name.
 * @see AWS CloudFormation Template Reference, AWS::ApiGateway::DocumentationVersion
 */
export const documentationVersion = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      RestApiId: z.string(),
      DocumentationVersion: z.string().min(1),
      Description: description,
    }),
    ({ RestApiId, DocumentationVersion }, context) => {
      const { documentation } = requireApi(apis, RestApiId, context);
      if (documentation.versions.has(DocumentationVersion)) {
        throw failure(
          'already_exists',
          context,
          `documentation version ${DocumentationVersion} already exists`,
        );
      }
      documentation.versions.add(DocumentationVersion);
      return { ref: physicalName(context), attributes: {} };
    },
    {
      replacedBy: ['DocumentationVersion', 'RestApiId'],
      delete: ({ properties: { RestApiId, DocumentationVersion } }) =>
        void apis.apis.get(RestApiId)?.documentation.versions.delete(DocumentationVersion),
    },
  );
