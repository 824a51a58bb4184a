import { CfnResource, TagManager, Token } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

import { allowedValues, hasTag } from '../../options/required-tag-rules';

/** A tag that every resource must have. */
export interface RequiredTagOptions {
  readonly key: string;
  /** The values that it may have. @default any */
  readonly values?: readonly string[];
}

/** Refuses a synthesis in which a taggable resource of a construct lacks a tag. Anybody may have added the tags. */
export function requireTags(scope: IConstruct, required: readonly RequiredTagOptions[]): void {
  scope.node.addValidation({ validate: () => required.flatMap((tag) => faultOf(scope, tag)) });
}

function faultOf(scope: IConstruct, { key, values }: RequiredTagOptions): string[] {
  const tag = { key, values: values && [...values] };
  const lacking = scope.node.findAll().filter((each) => {
    const tags = CfnResource.isCfnResource(each) ? TagManager.of(each) : undefined;
    if (tags === undefined) return false;
    const all = tags.tagValues();
    return !Token.isUnresolved(all[key]) && !hasTag(all, tag);
  });
  if (lacking.length === 0) return [];
  const found = TagManager.of(lacking[0]!)!.tagValues()[key];
  return [
    `tag ${JSON.stringify(key)}: found ${found === undefined ? 'nothing' : JSON.stringify(found)} on ${lacking.length} ` +
      `resources, the first at ${lacking[0]!.node.path}; allowed: ${allowedValues(tag)}, by requiredTags`,
  ];
}
