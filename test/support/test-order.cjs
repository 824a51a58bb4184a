const Sequencer = require('@jest/test-sequencer').default;

/** The part of the other tests among which journeys are. What follows is short, so no journey runs alone at the end. */
const AMONG = 0.75;

/**
 * Spreads journeys evenly among the other tests, since they mostly wait for systems that run beside them:
 * several at once compete for CPU, and one at the end leaves the other workers idle. Within both groups jest's order
 * stays: slowest or largest first. No test depends on the order.
 */
class JourneysAmongOthers extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isJourney = ({ context }) => context.config.displayName.name === 'journey';
    const journeys = sorted.filter(isJourney);
    const others = sorted.filter((test) => !isJourney(test));
    const gap = Math.floor((AMONG * others.length) / Math.max(journeys.length, 1));
    return [...journeys.flatMap((journey) => [journey, ...others.splice(0, gap)]), ...others];
  }
}

module.exports = JourneysAmongOthers;
