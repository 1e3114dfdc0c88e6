import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const output = `The service reports several blocks, such as subscription and search.hourly. In a pipe each is a line of name, used, limit, remaining and the time of renewal, tab-separated. Any other value is a line of its path and the value, so that values the service adds later appear too:

  $ syn quota --sandbox | cut -f 1-4 | head -n 5
  subscription	0	500	500
  search.hourly	0	250	250
  freeToolCalls	0	0	
  weeklyTokenLimit	$0.00	$24.00	$24.00
  weeklyTokenLimit.percentRemaining	100
  $ syn quota --sandbox --json | jq .subscription.requests
  0
  $ syn quota --sandbox --remaining --block search.hourly
  250

--remaining prints the requests that are left, a whole number: of the limit that runs out first, and 0 if any limit is used up. Requests count by the price of their model, many as a fraction of one. --json prints what the service sent. Stderr says how much was used since an earlier reading, and at this pace until when there is some, unless there is -q.`

const guards = `--fail-below and --wait turn the command into a guard for scripts. With -q they print nothing but errors.

Both check each block that limits requests to models: rollingFiveHourLimit, weeklyTokenLimit, subscription, and any other with limited: true, unless it is one of search or tool calls. --block checks one block instead. A block is used up if nothing is left of it, or if it has limited: true, whatever is left.

--fail-below N or N% returns status 8 if less than this is left, as a number of requests or as a share of each limit. Limits that come back in parts have as much at the time that it names, which is an estimate if it takes several parts:

  $ syn quota -q --fail-below 10% && syn chat "Say hello"
  syn: rollingFiveHourLimit is below 10%: 3.2 of 500 left; 10% will be left at about 2026-11-21 15:34 (in 24 min)

--wait returns when one request is left, and --wait 10% or --wait 50 when as much is. It says until when, which is an estimate if it takes several parts. It asks at each time of renewal that the service names, or each minute if there is none, and continues after network failures. If the limit has not come back then, it asks after 1, 2, 4 and up to 60 seconds. --max-wait TIME limits the wait: then, or at once if the service names a later time, the status is 5.

  $ syn quota -q --wait && syn chat "Say hello"

If the quota does not say how much is left, both guards succeed with a warning, also with -q. --remaining returns status 1 then:

  $ syn quota -q --sandbox --block freeToolCalls --fail-below 1 && echo go
  syn: the remaining amount of freeToolCalls is unknown: the service sent no limit; assuming enough is left
  go
  $ syn quota -q --sandbox --block freeToolCalls --remaining || echo "status $?"
  syn: the remaining amount of freeToolCalls is unknown: the service sent no limit
  status 1

A block that the reply lacks counts as unknown if it is one of subscription, search.hourly, freeToolCalls, weeklyTokenLimit and rollingFiveHourLimit. Any other name is probably a typo, and returns status 2. A service that has no quota at all returns status 4.`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    usage: `${requestStatuses.usage} After the reply: an unknown --block.`,
    threshold: 'Less is left than --fail-below requires.',
  },
  sections: [section('OUTPUT', output), section('GUARDING A SCRIPT', guards)],
}

export default text
