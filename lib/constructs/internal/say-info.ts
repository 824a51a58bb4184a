import { Annotations } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

/** Has the synthesis say something that can be acknowledged by its id. Older versions of aws-cdk-lib have no such ids. */
export function sayInfo(scope: IConstruct, id: string, message: string): void {
  const annotations = Annotations.of(scope);
  if ((annotations as Partial<Annotations>).addInfoV2 === undefined) annotations.addInfo(message);
  else annotations.addInfoV2(id, message);
}
