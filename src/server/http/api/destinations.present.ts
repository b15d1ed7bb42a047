import type { Destination, NewsType } from '../../../shared/api/destination'
import { writeMinute } from '../../notify/quiet'
import type { ListedDestination } from '../../store/destinations'
import { writeInstantOrNull } from '../core/instants'

/** A destination without the secrets of its row. */
export const presentDestination = (row: ListedDestination): Destination => ({
  id: row.uuid,
  kind: row.kind,
  name: row.name,
  host: row.host,
  hasToken: row.has_token === 1,
  events: JSON.parse(row.events) as NewsType[],
  isOn: row.is_on === 1,
  quietHours:
    row.quiet_from === null || row.quiet_to === null
      ? null
      : { from: writeMinute(row.quiet_from), to: writeMinute(row.quiet_to) },
  timeZone: row.time_zone,
  lastSuccessAt: writeInstantOrNull(row.last_success_at),
  lastFailureAt: writeInstantOrNull(row.last_failure_at),
  lastFailure: row.last_failure,
  lastStatus: row.last_status,
  hasEnded: row.has_ended === 1,
  waiting: row.waiting,
})
