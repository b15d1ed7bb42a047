import { useSignals } from '@preact/signals-react/runtime'
import { Bookmark } from 'lucide-react'
import { Fragment, useCallback, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { YourEpisode } from '../../../shared/api/your-episodes'
import { useApp } from '../../app-context'
import { Empty, Failed, Skeleton } from '../../components/states'
import { namePeriod, periodOf } from '../../library/episodes/time-groups'
import { createPagedList, type PagedList } from '../../state/paged-list'
import { BookmarkRow } from './bookmark-row'
import './bookmark-list.css'

/** The user's bookmarks, the latest first, by week and then by month. */
export function BookmarkList() {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const list = useMemo(
    () =>
      createPagedList<YourEpisode>(async cursor => {
        const { data, nextCursor } = await api.yourEpisodes.page('bookmarked', cursor)
        return { items: data, next: nextCursor }
      }),
    [api],
  )
  useEffect(() => {
    void list.reload()
    return list.cancel
  }, [list])
  const status = list.status.value
  const periods = Map.groupBy(list.items.value, item => periodOf(item.at))
  if (list.isEmpty.value) return <Empty icon={Bookmark}>{t('yours-empty-bookmarked')}</Empty>
  return (
    <>
      {[...periods].map(([period, bookmarks]) => (
        <Fragment key={period}>
          <h3 className="bookmark-period">{namePeriod(period)}</h3>
          <ul className="bookmark-list">
            {bookmarks.map(item => (
              <BookmarkRow key={item.bookmark!.id} item={item} onChanged={list.reload} />
            ))}
          </ul>
        </Fragment>
      ))}
      {status === 'loading' && <Skeleton kind="row" count={periods.size === 0 ? 8 : 2} />}
      {status === 'failed' && <Failed error={list.error.value} onRetry={() => void list.retry()} />}
      {list.hasMore.value && <LoadMore list={list} />}
    </>
  )
}

/** Loads the next page when the end of the list is near. */
function LoadMore({ list }: { list: PagedList<YourEpisode> }) {
  const end = useRef<HTMLDivElement>(null)
  const loaded = list.items.value.length
  const onSight = useCallback(
    (entries: IntersectionObserverEntry[]) => {
      if (entries.some(entry => entry.isIntersecting)) list.loadMore()
    },
    [list],
  )
  useEffect(() => {
    const observer = new IntersectionObserver(onSight, { rootMargin: '800px' })
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [onSight, loaded])
  return <div ref={end} />
}
