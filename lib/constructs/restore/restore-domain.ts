import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as route53 from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';

import { RESTORE_TLS } from './restore-rest-api';

/** A name of one's own for a restore API. */
export interface RestoreDomainSettings {
  /** A host name in lower case. */
  readonly name: string;
  /** A certificate for the name, in the region of the API. */
  readonly certificateArn: string;
  /** The Route 53 zone for the DNS record. @default the record is made elsewhere, and points to `target` */
  readonly hostedZoneId?: string;
}

export interface RestoreDomainProps extends RestoreDomainSettings {
  readonly api: apigateway.RestApi;
}

/**
 * Leads a name to the one stage of an API, with the same TLS; no path stands before the route's.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html
 */
export class RestoreDomain extends Construct {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** What the DNS record of the name has to point to. */
  readonly target: string;

  constructor(scope: Construct, id: string, { api, name, certificateArn, hostedZoneId }: RestoreDomainProps) {
    super(scope, id);
    const domain = new apigateway.DomainName(this, 'Name', {
      domainName: name,
      certificate: acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: apigateway.EndpointType.REGIONAL,
      ...RESTORE_TLS,
      mapping: api,
    });
    this.url = `https://${name}`;
    this.target = domain.domainNameAliasDomainName;
    if (hostedZoneId === undefined) return;
    // The zone's own name, which the L2 construct wants to know, changes nothing.
    new route53.CfnRecordSet(this, 'Record', {
      hostedZoneId,
      name,
      type: 'A',
      aliasTarget: { dnsName: this.target, hostedZoneId: domain.domainNameAliasHostedZoneId },
    });
  }
}
