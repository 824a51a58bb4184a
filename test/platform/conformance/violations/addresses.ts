import { type DeploymentKey } from '../../../../platform/conformance/tenant';
import { changeBody } from '../fronts/fronts';
import { changeTokenRequest, changeTokenUse } from '../fronts/issued';
import { type Asks, deploymentKeyOf, CONTENT, control, inDeployment, WEBHOOKS } from '../fronts/operations';
import { OTHER_ENVIRONMENT_SESSION } from './api-keys';
import { type Front, type ViolationTable } from '../violation';

/** Accepts the credentials of one environment and platform region at the token bases of the other region too. */
const inBothRegions = (
  environment: DeploymentKey['environment'],
  platformRegion: DeploymentKey['platformRegion'],
) => ({
  [`accepts credentials of ${environment}/${platformRegion} at the token bases of the other region`]:
    changeTokenRequest(({ asked, credential }) => {
      const isOfRow = credential?.environment === environment && credential.platformRegion === platformRegion;
      return isOfRow && deploymentKeyOf(asked).environment === environment
        ? { deploymentKey: credential }
        : {};
    }),
});

/** Accepts tokens in every environment and platform region. */
const everywhere = (is: Asks): Front =>
  changeTokenUse(is, ({ deploymentKey }, _token, asked) => inDeployment(asked, deploymentKey));

/** Violations that the checks of environments and platform regions find. */
export const ADDRESS_VIOLATIONS: ViolationTable = {
  'address-placeholders/row-staging-all-regions-except-mea': inBothRegions('staging', 'global'),
  'address-placeholders/row-staging-mea': inBothRegions('staging', 'mea'),
  'address-placeholders/row-production-all-regions-except-mea': inBothRegions('production', 'global'),
  'address-placeholders/row-production-mea': inBothRegions('production', 'mea'),
  'address-placeholders/paragraph-1': {
    ...OTHER_ENVIRONMENT_SESSION,
    'shares one webhooks base between staging and production': changeBody<{
      cells: (DeploymentKey & { webhooksBaseUrl: string })[];
    }>(control('GET', 'addresses'), ({ cells, ...addresses }) => {
      const { webhooksBaseUrl } = cells.find(({ platformRegion }) => platformRegion === 'mea')!;
      return {
        ...addresses,
        cells: cells.map((deploymentKey) =>
          deploymentKey.environment === 'production' ? { ...deploymentKey, webhooksBaseUrl } : deploymentKey,
        ),
      };
    }),
  },
  'oauth-2-0-client-credentials/rule-1': {
    'accepts a content token in every environment and platform region': everywhere(CONTENT),
    'accepts a webhooks token in every environment and platform region': everywhere(WEBHOOKS),
  },
};
