import type { SharedPodcast } from '../../shared/api/podcast'
import { isFolderAddress } from '../store/feeds'
import type { ListedRow } from '../store/podcasts'

type Checked = Pick<ListedRow, 'feed_url' | 'active' | 'gone' | 'error_code'>

/** State in which the last check left the feed of a podcast. */
export function feedStateOf(row: Checked): SharedPodcast['feed_state'] {
  if (isFolderAddress(row.feed_url)) return 'none'
  if (!row.active) return 'inactive'
  if (row.gone) return 'gone'
  return row.error_code === null ? 'ok' : 'failing'
}
