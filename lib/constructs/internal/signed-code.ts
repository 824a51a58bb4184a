import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { type CfnResource, Stage } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { type Construct } from 'constructs';

import { zipOf } from '../../bundling/zip';
import { type CheckedOptions } from '../../options/schema';

/** Folder of the cloud assembly with the bundles to sign. */
const BUNDLES = 'bundles';

export interface SignedCodeProps extends NonNullable<CheckedOptions['codeSigning']> {
  readonly bundleName: string;
  /** The code, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder of the cloud assembly with the same files. */
  readonly folder: string;
}

/**
 * Code from a bucket. Also writes the bundle to sign as a file. The name of both contains the digest of the bundle, so that a
 * bundle signed for another version or configuration is never deployed.
 * @see docs/decisions/0035-signed-bundles.md
 */
export function signedCode(
  scope: Construct,
  { configArn, signed, bundleName, files, folder }: SignedCodeProps,
): Pick<lambda.FunctionProps, 'code' | 'codeSigningConfig'> {
  const { outdir } = Stage.of(scope)!;
  const zip = zipOf(files);
  const name = `${bundleName}-${createHash('sha256').update(zip).digest('hex')}.zip`;
  mkdirSync(join(outdir, BUNDLES), { recursive: true });
  writeFileSync(join(outdir, BUNDLES, name), zip);
  const bucket = s3.Bucket.fromBucketName(scope, 'SignedBundles', signed.bucket);
  return {
    code: new CodeInBucket(bucket, `${signed.prefix}${name}`, relative(outdir, folder)),
    codeSigningConfig: lambda.CodeSigningConfig.fromCodeSigningConfigArn(scope, 'CodeSigning', configArn),
  };
}

/** Code in a bucket, with the path of the same code in the cloud assembly, for programs that run functions on a laptop. */
class CodeInBucket extends lambda.S3Code {
  private readonly folder: string;

  constructor(bucket: s3.IBucket, key: string, folder: string) {
    super(bucket, key);
    this.folder = folder;
  }

  override bindToResource(resource: CfnResource): void {
    resource.addMetadata('aws:asset:path', this.folder);
    resource.addMetadata('aws:asset:property', 'Code');
  }
}
