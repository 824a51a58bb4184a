import { z } from 'zod';
import {
  arnOf,
  description,
  failure,
  irrelevant,
  physicalName,
  resourceType,
  stateOf,
  tags,
  wholeNumber,
  type ResourceContext,
  type ResourceType,
} from '../template/resource-type';
import { requireApi, type RestApis } from './rest-api';
import { type RateRule } from './web-acls';

const visibility = irrelevant('there are no WAF metrics and samples here');

const rule = z
  .strictObject({
    Name: z.string(),
    Priority: wholeNumber,
    Action: z.strictObject({ Block: z.strictObject({}) }),
    Statement: z.strictObject({
      RateBasedStatement: z.strictObject({
        AggregateKeyType: z.literal('IP'),
        Limit: wholeNumber.pipe(z.number().min(10)),
        EvaluationWindowSec: z.literal([60, 120, 300, 600]).default(300),
      }),
    }),
    VisibilityConfig: visibility,
  })
  .transform(({ Name, Statement: { RateBasedStatement } }): RateRule => ({
    name: Name,
    limit: RateBasedStatement.Limit,
    windowSec: RateBasedStatement.EvaluationWindowSec,
  }));

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-wafv2-webacl.html */
export const webAcl = ({ webAcls: { acls } }: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      Name: z.string().optional(),
      Scope: z.literal('REGIONAL'),
      DefaultAction: z.strictObject({ Allow: z.strictObject({}) }),
      Rules: z.array(rule).default([]),
      VisibilityConfig: visibility,
      Description: description,
      Tags: tags,
    }),
    ({ Name, Rules }, context) => {
      const name = Name ?? physicalName(context);
      const id = context.random(36);
      const arn = arnOf(context, 'wafv2', `regional/webacl/${name}/${id}`);
      acls.set(arn, { arn, rules: Rules });
      return { ref: `${name}|${id}|REGIONAL`, attributes: { Arn: arn, Id: id } };
    },
    {
      replacedBy: ['Name', 'Scope'],
      update: ({ Rules }, context, { attributes }) => {
        stateOf(acls, attributes.Arn as string, context).rules = Rules;
      },
      delete: ({ attributes }) => void acls.delete(attributes.Arn as string),
    },
  );

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-wafv2-webaclassociation.html */
export const webAclAssociation = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({ ResourceArn: z.string(), WebACLArn: z.string() }),
    ({ ResourceArn, WebACLArn }, context) => {
      if (!apis.webAcls.acls.has(WebACLArn))
        throw failure('not_found', context, `the account has no web ACL ${WebACLArn}`);
      apis.webAcls.ofStages.set(stageOf(apis, ResourceArn, context), WebACLArn);
      return { ref: physicalName(context), attributes: {} };
    },
    {
      replacedBy: ['ResourceArn', 'WebACLArn'],
      delete: ({ properties: { ResourceArn } }) =>
        void apis.webAcls.ofStages.delete(partsOf(ResourceArn).join('/')),
    },
  );

function stageOf(apis: RestApis, arn: string, context: ResourceContext): string {
  const [apiId = '', stageName = ''] = partsOf(arn);
  if (!requireApi(apis, apiId, context).stages.has(stageName))
    throw failure('not_found', context, `the API has no stage ${stageName}`);
  return `${apiId}/${stageName}`;
}

/** The API's id and the stage's name of `arn:aws:apigateway:REGION::/restapis/API/stages/STAGE`. */
function partsOf(arn: string): string[] {
  return /:\/restapis\/([^/]+)\/stages\/([^/]+)$/.exec(arn)?.slice(1) ?? [];
}
