import { Check, CheckCheck, Ellipsis, ListPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { Menu } from '../../components/menu'
import { nameTimelineGroup, spanOf, timelineGroupOf } from '../../library/episodes/time-groups'
import type { TimelineFilter } from '../../library/episodes/use-timeline'
import type { PagedList } from '../../state/paged-list'
import { useTimelineActions } from './use-timeline-actions'

type Props = { group: string; list: PagedList<EpisodeWrapper>; filter: TimelineFilter }

/** The actions on all episodes of a day or month, and on everything above it. */
export function DayMenu({ group, list, filter }: Props) {
  const { t } = useTranslation()
  const { queueAll, markPlayed } = useTimelineActions()
  const day = spanOf(group)
  const { name } = nameTimelineGroup(group)
  const isFirst = () =>
    list.items
      .peek()
      .slice(0, 1)
      .some(first => timelineGroupOf(first) === group)
  return (
    <Menu
      icon={Ellipsis}
      label={t('more-of', { name })}
      heading={name}
      items={() => [
        { icon: ListPlus, label: t('queue-these'), onSelect: () => void queueAll({ ...filter, ...day }) },
        { icon: Check, label: t('mark-these-played'), onSelect: () => void markPlayed({ ...filter, ...day }) },
        ...(isFirst()
          ? []
          : [
              {
                icon: CheckCheck,
                label: t('mark-above-played'),
                onSelect: () => void markPlayed({ ...filter, from: day.to }),
              },
            ]),
      ]}
    />
  )
}
