/** The minimum code that could work, in several variants. */
import { END_MS, JWT, MARGIN_MS, REQUESTS, requestOf } from './warm-requests.mjs';

const joined = ({ tenantId, environment, platformRegion, interface: platformInterface, scope }) =>
  `${tenantId}|${environment}|${platformRegion}|${platformInterface}|${scope}`;
const tokenOf = (entry) =>
  entry !== undefined && entry.endMs - MARGIN_MS > Date.now() ? entry.token : undefined;
const mapBy = (keyOf) => new Map(REQUESTS.map((request) => [keyOf(request), { token: JWT, endMs: END_MS }]));

export function limits() {
  const keys = REQUESTS.map(joined);
  const byJoined = mapBy(joined);
  const byJson = mapBy(JSON.stringify);
  const nested = nestedMap();
  return [
    { name: 'Map.get(key made before) + end', isSync: true, run: (i) => tokenOf(byJoined.get(keys[i & 63])) },
    {
      name: 'nested Map over 5 fields + end',
      isSync: true,
      run: (i) => {
        const { environment, platformRegion, tenantId, interface: platformInterface, scope } = requestOf(i);
        return tokenOf(
          nested.get(tenantId)?.get(environment)?.get(platformRegion)?.get(platformInterface)?.get(scope),
        );
      },
    },
    {
      name: 'LIMIT: 5 fields joined + Map.get + end',
      isSync: true,
      run: (i) => tokenOf(byJoined.get(joined(requestOf(i)))),
    },
    {
      name: 'LIMIT as async function, awaited',
      run: async (i) => tokenOf(byJoined.get(joined(requestOf(i)))),
    },
    {
      name: 'JSON.stringify + Map.get + end',
      isSync: true,
      run: (i) => tokenOf(byJson.get(JSON.stringify(requestOf(i)))),
    },
  ];
}

function nestedMap() {
  const root = new Map();
  for (const { environment, platformRegion, tenantId, interface: platformInterface, scope } of REQUESTS) {
    let level = root;
    for (const field of [tenantId, environment, platformRegion, platformInterface]) {
      if (!level.has(field)) level.set(field, new Map());
      level = level.get(field);
    }
    level.set(scope, { token: JWT, endMs: END_MS });
  }
  return root;
}
