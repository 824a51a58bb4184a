import { type Cell } from '../../../conformance/tenant';
import { changeBody } from '../fronts/fronts';
import { changeTokenRequest, changeTokenUse } from '../fronts/issued';
import { type Asks, cellOf, CONTENT, control, inCell, WEBHOOKS } from '../fronts/operations';
import { OTHER_ENVIRONMENT_SESSION } from './api-keys';
import { type Front, type Violation } from '../violation';

const ROWS: Readonly<Record<string, Cell>> = {
  'row-staging-all-regions-except-mea': { environment: 'staging', platformRegion: 'global' },
  'row-staging-mea': { environment: 'staging', platformRegion: 'mea' },
  'row-production-all-regions-except-mea': { environment: 'production', platformRegion: 'global' },
  'row-production-mea': { environment: 'production', platformRegion: 'mea' },
};

/** Accepts the credentials of one row at the token bases of the other region too. */
const inBothRegions = (row: Cell): Front =>
  changeTokenRequest(({ body, asked }, issued) => {
    const credential = issued.find(({ clientId }) => clientId === body.client_id);
    const isOfRow =
      credential?.environment === row.environment && credential.platformRegion === row.platformRegion;
    return isOfRow && cellOf(asked).environment === row.environment ? { cell: credential } : {};
  });

/** Accepts tokens in every environment and platform region. */
const everywhere = (is: Asks): Front => changeTokenUse(is, ({ cell }, _token, asked) => inCell(asked, cell));

/** Violations that the checks of environments and platform regions find. */
export const ADDRESS_VIOLATIONS: readonly Violation[] = [
  ...Object.entries(ROWS).map(([row, cell]): Violation => ({
    clause: `address-placeholders/${row}`,
    violation: `accepts credentials of ${cell.environment}/${cell.platformRegion} at the token bases of the other region`,
    front: inBothRegions(cell),
  })),
  { clause: 'address-placeholders/paragraph-1', ...OTHER_ENVIRONMENT_SESSION },
  {
    clause: 'address-placeholders/paragraph-1',
    violation: 'has one webhooks base for staging and production',
    front: changeBody<{ cells: (Cell & { webhooksBaseUrl: string })[] }>(
      control('GET', 'addresses'),
      ({ cells, ...addresses }) => {
        const { webhooksBaseUrl } = cells.find(({ platformRegion }) => platformRegion === 'mea')!;
        return {
          ...addresses,
          cells: cells.map((cell) => ({
            ...cell,
            ...(cell.environment === 'production' ? { webhooksBaseUrl } : {}),
          })),
        };
      },
    ),
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-1',
    violation: 'accepts a content token in every environment and platform region',
    front: everywhere(CONTENT),
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-1',
    violation: 'accepts a webhooks token in every environment and platform region',
    front: everywhere(WEBHOOKS),
  },
];
