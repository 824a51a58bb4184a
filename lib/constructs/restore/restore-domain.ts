import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as route53 from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';

import { useStrictTls } from './restore-rest-api';

export interface RestoreDomainProps {
  /** A host name in lower case. */
  readonly name: string;
  /** Of a certificate for the name, in the region of the API. */
  readonly certificateArn: string;
  /** Of the Route 53 zone for the DNS record. @default you create the record, which points to `target` */
  readonly hostedZoneId?: string | undefined;
  readonly api: apigateway.RestApi;
}

/**
 * Maps a domain name to the stage of an API, with the same TLS and without a base path.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html
 */
export class RestoreDomain extends Construct {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Target of the name's DNS record. */
  readonly target: string;

  constructor(scope: Construct, id: string, { api, name, certificateArn, hostedZoneId }: RestoreDomainProps) {
    super(scope, id);
    const domain = new apigateway.DomainName(this, 'Name', {
      domainName: name,
      certificate: acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: apigateway.EndpointType.REGIONAL,
      securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
      mapping: api,
    });
    useStrictTls(domain.node.defaultChild as apigateway.CfnDomainName);
    this.url = `https://${name}`;
    this.target = domain.domainNameAliasDomainName;
    if (hostedZoneId === undefined) return;
    // L1, because the L2 construct requires the zone's name.
    new route53.CfnRecordSet(this, 'Record', {
      hostedZoneId,
      name,
      type: 'A',
      aliasTarget: { dnsName: this.target, hostedZoneId: domain.domainNameAliasHostedZoneId },
    });
  }
}
