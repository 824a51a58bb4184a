import { CfnResource, TagManager, Token } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

import { allowedValues, hasTag } from '../../options/required-tag-rules';
import { type RequiredTag, requiredTagsOf } from '../../options/required-tags-settings';
import { type CheckedOptions } from '../../options/schema';

/** Makes the synthesis fail if a taggable resource of a construct lacks a tag: until then, the app may add tags anywhere. */
export function requireTags(scope: IConstruct, required: CheckedOptions['requiredTags']): void {
  scope.node.addValidation({
    validate: () => requiredTagsOf(required).flatMap((tag) => faultOf(scope, tag)),
  });
}

function faultOf(scope: IConstruct, tag: RequiredTag): string[] {
  const { key } = tag;
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
